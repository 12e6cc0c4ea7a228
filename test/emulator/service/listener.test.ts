import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createListener } from '../../../src/emulator/service/listener.js'
import { readSettings } from '../../../src/emulator/settings.js'

/** A listener whose calls each take so much processor time, and answer with their path. */
const listening = async (busyMs: number) => {
  const quotas = { refuse: () => {}, observe: () => {}, measure: () => {} }
  const served: string[] = []
  const server = createListener(
    readSettings({}),
    ({ url = '' }, response) => {
      for (const end = performance.now() + busyMs; performance.now() < end; );
      served.push(url)
      response.end(url)
    },
    quotas,
    () => {},
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { served, port }
}

const requests = (count: number, path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(count)

const open = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('calls of one connection that do not wait for their answers keep no other client waiting', async () => {
  const { served, port } = await listening(3)
  const [many, other] = [await open(port), await open(port)]
  many.write(requests(100, '/many'))
  await once(many, 'data')
  other.write(requests(1, '/other'))
  await once(other, 'data')
  const before = served.indexOf('/other')
  expect(before).toBeGreaterThan(0)
  // In one turn of the event loop, all hundred would be answered first.
  expect(before).toBeLessThan(50)
})

test('calls of one connection are answered all, in their order', async () => {
  const { port } = await listening(1)
  const socket = await open(port)
  const paths = Array.from({ length: 60 }, (_, index) => `/call-${index}`)
  socket.write(paths.map((path) => requests(1, path)).join(''))
  let answers = ''
  for await (const chunk of socket) {
    answers += chunk
    if (answers.endsWith('/call-59')) break
  }
  expect(answers.match(/\/call-\d+/g)).toEqual(paths)
})
