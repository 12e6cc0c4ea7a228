import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createBodyBudget } from '../../../src/server/http/body-room.js'
import { concatResizable } from '../../../src/server/http/large-body/joined.js'
import { createLargeBodyReader, type LargeBodyReader } from '../../../src/server/http/large-body/reader.js'
import { readBody } from '../../../src/server/http/read-body.js'

test('pieces of any size are joined in their order', () => {
  const pieces = ['{"a":', '', '[1,', '2]', '}'].map((text) => Buffer.from(text))
  expect(concatResizable(pieces, 12).toString('utf8')).toBe('{"a":[1,2]}\0')
  expect(concatResizable(pieces, 11).toString('utf8')).toBe('{"a":[1,2]}')
})

test('what is joined is of memory that can be given back, and is handed to the thread, not copied', async () => {
  const reader = createLargeBodyReader([])
  const whole = concatResizable([Buffer.from('[1,'), Buffer.from('2,')], 5)
  expect(whole.buffer).toMatchObject({ resizable: true })
  const body = await reader.read([whole, Buffer.from('3]')])
  expect(body).toMatchObject({ kind: 'json', value: [1, 2, 3] })
  expect(whole.byteLength).toBe(0)
  await reader.stop()
})

test('a large body arrives as it was sent, and nearly all of it joined', async () => {
  const sent = randomBytes(5 * 2 ** 20 + 7)
  const come: Uint8Array[] = []
  const large: LargeBodyReader = {
    read: async (chunks) => {
      come.push(...chunks)
      return { kind: 'none' }
    },
    stop: async () => {},
  }
  const server = createServer(async (request, response) => {
    await readBody(request, 8 * 2 ** 20, { large, room: createBodyBudget(8 * 2 ** 20) })
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sent })).text()
  server.close()
  expect(Buffer.concat(come).equals(sent)).toBe(true)
  const wholes = come.filter(({ buffer }) => Reflect.get(buffer, 'resizable') === true)
  expect(wholes.length).toBeGreaterThanOrEqual(4)
  expect(wholes.every(({ byteLength }) => byteLength >= 2 ** 20)).toBe(true)
})
