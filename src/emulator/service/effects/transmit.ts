import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Delivery, OutgoingReply } from '../../core/scenario/effects/effect.js'
import { LONGEST_TIMER_MS, SECOND } from '../../core/schedule/time.js'
import { type SetTimer, setUnrefTimer } from '../../timers.js'
import { leaveOut } from '../files.js'

/** Delays of answers in real time. None outlasts the client that waits, or the emulator. */
export interface Delays {
  /** How many answers wait now. */
  readonly count: number
  /** Resolves with true after so long, or with false as soon as the client disconnects or the emulator stops. */
  wait(ms: number, response: ServerResponse): Promise<boolean>
  stop(): void
}

export const createDelays = (setTimer: SetTimer = setUnrefTimer): Delays => {
  const cancellations = new Set<() => void>()
  let isStopped = false
  return {
    wait: (ms, response) =>
      new Promise((resolve) => {
        if (isStopped || response.destroyed) return resolve(false)
        const end = (isOver: boolean) => {
          clear()
          response.off('close', cancel)
          cancellations.delete(cancel)
          resolve(isOver)
        }
        const cancel = () => end(false)
        const clear = Number.isFinite(ms)
          ? setTimer(() => end(true), Math.min(ms, LONGEST_TIMER_MS))
          : () => {}
        cancellations.add(cancel)
        response.once('close', cancel)
      }),
    get count() {
      return cancellations.size
    },
    stop: () => {
      isStopped = true
      for (const cancel of [...cancellations]) cancel()
    },
  }
}

/** Sends an answer with the transport faults of a step. Resolves, without a timer left, when it is over or the client has gone. */
export const transmit = async (
  outgoing: OutgoingReply,
  response: ServerResponse,
  delivery: Delivery,
  delays: Delays,
): Promise<void> => {
  if (!(await waitForDelay(response, delivery, delays))) return void response.destroy()
  if (delivery.end === 'reset') return resetConnection(response)
  const isCut = isCutOff(delivery, outgoing, response.req)
  // A client that has the whole answer would send its next call on a connection that is about to end.
  if (delivery.end === 'cut' && !isCut) response.setHeader('Connection', 'close')
  writeHead(response, outgoing)
  const bytes = response.req.method === 'HEAD' ? Buffer.alloc(0) : outgoing.bytes
  await writePaced(response, bytes.subarray(0, delivery.bytes), delivery.bytesPerSecond, delays)
  if (isCut) await closeConnection(response)
  else response.end()
}

const resetConnection = ({ socket }: ServerResponse): void => {
  // A connection of TLS cannot be reset, only the one beneath it, which Node keeps here.
  const { _parent: beneath } = (socket ?? {}) as { readonly _parent?: Socket | null }
  ;(beneath ?? socket)?.resetAndDestroy()
}

/** Whether less of the body is sent than the answer says. A HEAD has none, and a short body can end before. */
export const isCutOff = (
  { end, bytes: sent = Number.POSITIVE_INFINITY }: Delivery,
  { bytes, declaredBytes = 0 }: OutgoingReply,
  { method }: Pick<IncomingMessage, 'method'>,
): boolean =>
  (end === 'cut' || end === 'complete') &&
  method !== 'HEAD' &&
  Math.min(sent, bytes.length) < Math.max(bytes.length, declaredBytes)

/** Waits as long as the delivery says; false when nothing is to be sent any more. */
export const waitForDelay = async (
  response: ServerResponse,
  { delayMs, end }: Delivery,
  delays: Delays,
): Promise<boolean> => {
  if (end === 'never') return delays.wait(Number.POSITIVE_INFINITY, response)
  return delayMs === 0 || delays.wait(delayMs, response)
}

const writeHead = (
  response: ServerResponse,
  { status, headers, cookies = [], without = [], bytes, declaredBytes }: OutgoingReply,
): void => {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Content-Length', declaredBytes ?? bytes.length)
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies)
  leaveOut(response, without)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // RFC 9112 §6: an answer in chunks has no length, and neither has one of these statuses.
  if (response.hasHeader('Transfer-Encoding') || status === 204 || status === 304)
    response.removeHeader('Content-Length')
  // A wrong length would shift every later answer on the connection, so this is the last one.
  else if (Number(response.getHeader('Content-Length')) !== bytes.length)
    response.setHeader('Connection', 'close')
  response.writeHead(status)
  response.flushHeaders()
}

const CHUNKS_PER_SECOND = 10

const writePaced = async (
  response: ServerResponse,
  bytes: Buffer,
  bytesPerSecond: number | undefined,
  delays: Delays,
): Promise<void> => {
  if (bytesPerSecond === undefined) return writeAll(response, bytes)
  const size = Math.ceil(bytesPerSecond / CHUNKS_PER_SECOND)
  for (let at = 0; at < bytes.length; at += size) {
    if (!(await delays.wait((size * SECOND) / bytesPerSecond, response))) return void response.destroy()
    await writeAll(response, bytes.subarray(at, at + size))
  }
}

/** Resolves when the system has taken the bytes, or the connection is gone. */
const writeAll = (response: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (bytes.length === 0 || response.destroyed) resolve()
    else response.write(bytes, () => resolve())
  })

const closeConnection = async (response: ServerResponse): Promise<void> => {
  // What was written is sent before the connection ends, so that the client has so many bytes and no more.
  await new Promise<void>((resolve) => {
    if (response.socket === null || response.socket.destroyed) resolve()
    else response.socket.end(() => resolve())
  })
  response.destroy()
}
