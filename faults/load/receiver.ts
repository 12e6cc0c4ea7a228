import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A callback that came. */
export interface Delivery {
  readonly id: string
  readonly taskId: string
  readonly status: string
  /** By `performance.now()`. */
  readonly at: number
}

/** Receiver of callbacks in this process, so that it outlives the emulator's. */
export interface Receiver {
  readonly url: string
  readonly deliveries: readonly Delivery[]
  /** Forgets what has come. */
  clear(): void
  stop(): void
}

export const startReceiver = async (): Promise<Receiver> => {
  const deliveries: Delivery[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const message = JSON.parse(text) as { challenge?: string; task?: { id: string; status: string } }
      if (message.task !== undefined)
        deliveries.push({
          id: String(request.headers['x-backlot-delivery-id']),
          taskId: message.task.id,
          status: message.task.status,
          at: performance.now(),
        })
      response.end(message.challenge === undefined ? '{}' : text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    clear: () => void deliveries.splice(0),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
