import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endedHere } from '../cli/backlot.js'
import { newFolder } from '../folder.js'
import { expectSame, openSession } from './session.js'

test('a replay asks no host and reads no file of a route, and compares the answers of the others', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"from":"host"}')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const forward = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = newFolder()
  await writeFile(join(folder, 'terms.txt'), 'be kind')
  const profile = join(folder, 'mine.yaml')
  await writeFile(
    profile,
    `routes:
  - { id: models, method: POST, path: /v1/models, forward: '${forward}' }
  - { id: terms, method: GET, path: /terms, answer: { file: terms.txt } }
  - { id: hi, method: POST, path: /hi, answer: { body: { hi: '{{body.name}}', n: '{{sequence}}' } } }
`,
  )
  const { client, saved, file } = await openSession({ profile, clock: 'paused' })
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await client.post('/v1/models', { a: 1 })).body).toEqual({ from: 'host' })
  expect((await client.post('/v1/models', '--x--', form)).status).toBe(200)
  expect((await client.get('/terms')).text).toBe('be kind')
  expect((await client.post('/hi', { name: 'Ada' })).body).toEqual({ hi: 'Ada', n: 4 })
  const report = await expectSame(await saved())
  expect(report).toMatchObject({ calls: 4, foreign: 3 })
  expect(asked).toBe(2)
  expect((await endedHere(['replay', file])).out).toContain(
    '4 calls, all as they were recorded. 3 calls of a route that a host or a file answers were not compared.',
  )
  expect(asked).toBe(2)
})
