import express from 'express'
import { calls, ready } from './ready.mjs'

/** Yardstick: Express with its reader of JSON, which answers the same each time. */

const app = express()
app.use(express.json({ limit: '100mb' }))
for (const { method, path, answer } of calls)
  app[method.toLowerCase()](path, (_, response) => response.json(answer))
const server = app.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${server.address().port}`))
