import express from 'express'

/**
 * The yardstick: Express with its JSON reader, answering ready-made bytes. What the emulator does beyond this is what
 * a user pays for it. The argument holds the answers by path, as JSON.
 */

const app = express()
app.use(express.json({ limit: '100mb' }))
for (const [path, answer] of Object.entries(JSON.parse(process.argv[2] ?? '{}'))) {
  const body = JSON.parse(answer)
  app.all(path, (_, response) => response.json(body))
}
const server = app.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${server.address().port}` })),
)
process.once('SIGTERM', () => process.exit(0))
