import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isRecord, parseJson } from '../../emulator/surface/journal.js'
import { clearTimeout, EmulatorError, setTimeout, systemReason } from '../../emulator/surface/records.js'

/** Message that a receiver got. */
interface Received {
  readonly kind: 'challenge' | 'delivery'
  readonly headers: Readonly<Record<string, string>>
  readonly json: unknown
  /** Milliseconds since 1970. */
  readonly at: number
}

const MAX_BODY_BYTES = 1024 * 1024

/** Callback receiver: answers challenges, takes every message, and keeps what it got. */
export class Receiver {
  readonly #server = createServer((request, response) => {
    const isTooLarge = Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES
    if (isTooLarge) return void response.writeHead(413).end()
    void text(request).then(
      (body) => {
        const json = parseJson(body)
        const challenge = isRecord(json) && typeof json.challenge === 'string' ? json.challenge : undefined
        this.messages.push({
          kind: challenge === undefined ? 'delivery' : 'challenge',
          headers: request.headers as Record<string, string>,
          json,
          at: Date.now(),
        })
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(challenge === undefined ? {} : { challenge }))
        for (const look of this.#waiting) look()
      },
      () => response.destroy(),
    )
  })
  readonly #waiting = new Set<() => void>()
  readonly messages: Received[] = []

  /** Listens on loopback. @throws EmulatorError `cannot-listen` */
  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening').catch((cause) => {
      throw new EmulatorError(`Callbacks cannot be received at port ${port}: ${systemReason(cause)}.`, {
        code: 'cannot-listen',
        hint: 'Name a free port with --callback-port.',
        cause,
      })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  /** Resolves as soon as the messages fit, or after a time, in milliseconds. */
  async waitFor(fits: (messages: readonly Received[]) => boolean, ms: number): Promise<void> {
    if (fits(this.messages)) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve()
      }
      const look = () => {
        if (fits(this.messages)) end()
      }
      const timer = setTimeout(end, ms)
      this.#waiting.add(look)
    })
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
