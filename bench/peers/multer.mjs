import { mkdtempSync, rmSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import multer from 'multer'
import { ready } from './ready.mjs'

/** Yardstick of uploads: Express with multer that writes each file to the disk, and answers with its size. */

const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
const app = express()
app.post('/v1/asset/upload', multer({ dest: folder }).single('file'), async (request, response) => {
  await unlink(request.file.path)
  response.json({ bytes: request.file.size })
})
const server = app.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${server.address().port}`))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
