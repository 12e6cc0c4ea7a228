import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { createDelays, type Delays } from '../../../../src/emulator/service/effects/transmit.js'
import type { SetTimer } from '../../../../src/emulator/timers.js'

export interface Served {
  readonly url: string
  readonly delays: Delays
  /** Milliseconds that were waited for, in order; none of them passes in real time. */
  readonly waited: number[]
  /** Resolves when so many calls have come. */
  came(count: number): Promise<void>
  /** All that a plain socket receives after one GET until the connection ends, and the error that ends it. */
  rawGet(): Promise<{ text: string; error: string | undefined }>
}

/** A server that answers every call through `answer`, for the length of a test. */
export const serve = async (
  answer: (response: ServerResponse, delays: Delays) => Promise<void>,
): Promise<Served> => {
  const waited: number[] = []
  // Rings in the next turn of the loop: the time itself is of no interest.
  const setTimer: SetTimer = (ring, ms) => {
    waited.push(ms)
    const timer = setImmediate(ring)
    return () => clearImmediate(timer)
  }
  const delays = createDelays(setTimer)
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    void answer(response, delays)
    server.emit('came')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    delays.stop()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    delays,
    waited,
    came: async (count) => {
      while (calls < count) await once(server, 'came')
    },
    rawGet: () =>
      new Promise((resolve) => {
        const socket = connect(port, '127.0.0.1')
        const chunks: Buffer[] = []
        let error: string | undefined
        socket.on('data', (chunk: Buffer) => chunks.push(chunk))
        socket.on('error', (problem: NodeJS.ErrnoException) => {
          error = problem.code
        })
        socket.on('close', () => resolve({ text: Buffer.concat(chunks).toString('utf8'), error }))
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      }),
  }
}
