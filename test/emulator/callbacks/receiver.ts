import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a receiver was sent. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: whatever was posted
  readonly body: any
  /** The status that a delivery reports, or `challenge`. */
  readonly what: string
}

/** How a receiver answers; `count` is how many messages it has had, this one included. */
export type Answer = (received: Received, response: ServerResponse, count: number) => unknown

export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** What came, in a word each. */
  kinds(): string[]
  /** Resolves when so many messages have come. */
  until(count: number): Promise<void>
}

/** Gives challenges back and accepts everything else. */
export const passing: Answer = ({ body, what }, response) =>
  response.end(what === 'challenge' ? JSON.stringify({ challenge: body.challenge }) : 'ok')

/** Gives challenges back and answers deliveries in another way. */
export const passingThen =
  (answer: Answer): Answer =>
  (received, response, count) =>
    received.what === 'challenge' ? passing(received, response, count) : answer(received, response, count)

export const withStatus =
  (status: number): Answer =>
  (_, response) =>
    response.writeHead(status).end()

/** A receiver on a port of its own, for the length of a test. */
export const startReceiver = async (answer: Answer = passing): Promise<Receiver> => {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      const what = body.challenge === undefined ? body.status : 'challenge'
      const message = { path: request.url ?? '', headers: request.headers, body, what }
      received.push(message)
      answer(message, response, received.length)
      for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    kinds: () => received.map(({ what }) => what),
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}
