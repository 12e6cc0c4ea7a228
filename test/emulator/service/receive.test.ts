import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Body } from '../../../src/emulator/core/model/call.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import type { ServiceParts } from '../../../src/emulator/service/exchange.js'
import { createOriginOf, createReceive } from '../../../src/emulator/service/receive.js'
import { createRoutes } from '../../../src/emulator/service/routes.js'
import { readSettings } from '../../../src/emulator/settings.js'
import { paths } from '../../emulator.js'

const { operations } = builtIn

test('the memory of a body is given back though the client leaves while it is parsed', async () => {
  let bytesHeld = () => -1
  const parsing = promised<Body>()
  const begun = promised<void>()
  const receive = createReceive({
    settings: readSettings({}),
    systemNow: Date.now,
    findRoute: createRoutes(operations),
    store: { ownerOf: async () => undefined, keyOfAccountId: async () => undefined },
    largeBodies: {
      read: () => {
        begun.resolve()
        return parsing.promise
      },
    },
    quotas: {
      measure: ({ bodies }: { bodies: () => number }) => (bytesHeld = bodies),
      observe: () => {},
    },
  } as unknown as ServiceParts)
  const received = promised<unknown>()
  const server = createServer((request, response) => {
    response.once('close', () => parsing.resolve({ kind: 'json', value: {} }))
    receive(request, response).then(received.resolve, received.reject)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const body = ' '.repeat(600 * 1024)
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(`POST ${paths.tasks} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await begun.promise
  expect(bytesHeld()).toBeGreaterThan(0)
  client.destroy()
  await received.promise
  expect(bytesHeld()).toBe(0)
})

test.each([
  ['HTTPS://Media.Test:443/', 'https://media.test'],
  ['http://media.test:8080/base//', 'http://media.test:8080/base'],
])('absolute URLs in answers begin with the public URL %s as %s', (publicUrl, expected) =>
  expect(createOriginOf({ publicUrl })('127.0.0.1')).toBe(expected),
)

const promised = <T>() => {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}
