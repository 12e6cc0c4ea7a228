import express from 'express'
import multer from 'multer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
const folder = mkdtempSync(join(tmpdir(), 'bare-'))
const app = express()
app.post('/v1/asset/upload', multer({ dest: folder }).single('file'), (req, res) => res.json({ code: 200, data: { task_id: req.file.filename } }))
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('SIGTERM', () => { rmSync(folder, { recursive: true, force: true }); process.exit(0) })
