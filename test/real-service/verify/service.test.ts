import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { NotAnswered, Service } from '../../../src/real-service/verify/service.js'

const CALL = { method: 'GET', path: '/v1/videos/1' }

test('a service that hangs is asked again, and then no more', async () => {
  let calls = 0
  const server = createServer(() => {
    calls += 1
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = new Service(target, 'key', Number.POSITIVE_INFINITY, 20)
  // Further tries would wait for seconds.
  const ask = () => service.ask(CALL, () => 'once is enough').catch((error) => error)
  const failure = await ask()
  expect(failure).toBeInstanceOf(NotAnswered)
  expect(failure).toMatchObject({
    message: 'no answer comes: it takes longer than 0.02 s',
    status: undefined,
    mayBeTaken: true,
  })
  expect(service.silence).toBeUndefined()
  await ask()
  await ask()
  expect(calls).toBe(3)
  expect(service.silence).toBe('the last 3 calls were left without an answer, and nothing more is asked')
})

test('where there is nothing at the target from the first, the command is told so', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.close()
  await expect(new Service(target, 'key').ask(CALL)).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})
