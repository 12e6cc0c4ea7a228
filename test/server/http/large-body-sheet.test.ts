import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createBodyRoom } from '../../../src/server/http/body-room.js'
import { createLargeBodyReader, type LargeBodyReader } from '../../../src/server/http/large-body/reader.js'
import { sheetOf } from '../../../src/server/http/large-body/sheet.js'
import { readBody } from '../../../src/server/http/read-body.js'

test('pieces of any size are joined in their order', () => {
  const pieces = ['{"a":', '', '[1,', '2]', '}'].map((text) => Buffer.from(text))
  expect(sheetOf(pieces, 12).toString('utf8')).toBe('{"a":[1,2]}\0')
  expect(sheetOf(pieces, 11).toString('utf8')).toBe('{"a":[1,2]}')
})

test('a sheet is of memory that can be given back, and is handed to the thread, not copied', async () => {
  const reader = createLargeBodyReader()
  const sheet = sheetOf([Buffer.from('[1,'), Buffer.from('2,')], 5)
  expect(sheet.buffer).toMatchObject({ resizable: true })
  const body = await reader.read([sheet, Buffer.from('3]')])
  expect(body).toMatchObject({ kind: 'json', value: [1, 2, 3] })
  expect(sheet.byteLength).toBe(0)
  await reader.stop()
})

test('a body of many sheets arrives as it was sent, and nearly all of it in sheets', async () => {
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
    await readBody(request, 8 * 2 ** 20, { large, room: createBodyRoom(8 * 2 ** 20) })
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: sent })).text()
  server.close()
  expect(Buffer.concat(come).equals(sent)).toBe(true)
  const sheets = come.filter(({ buffer }) => Reflect.get(buffer, 'resizable') === true)
  expect(sheets.length).toBeGreaterThanOrEqual(4)
  expect(sheets.every(({ byteLength }) => byteLength >= 2 ** 20)).toBe(true)
})
