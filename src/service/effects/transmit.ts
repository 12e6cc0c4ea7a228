import type { ServerResponse } from 'node:http'
import type { SeededRandom } from '../../core/account/random.js'
import type { Outgoing } from '../../core/scenario/effects/answer.js'
import { delayMs } from '../../core/scenario/effects/transport.js'
import type { Transport } from '../../core/scenario/schema.js'
import { SECOND } from '../../core/schedule/duration.js'

/** Calls back after milliseconds of real time, unless it is called off. */
export type SetTimer = (ring: () => void, ms: number) => () => void

const realTimer: SetTimer = (ring, ms) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

/** The time that faults take. None of it outlasts the client that waits, or the emulator. */
export interface Delays {
  /** Resolves after so long with true; with false as soon as the client goes or the emulator stops. */
  pass(ms: number, response: ServerResponse): Promise<boolean>
  /** Resolves when the client goes or the emulator stops. */
  forEver(response: ServerResponse): Promise<void>
  /** How many are under way. */
  readonly count: number
  stop(): void
}

export const createDelays = (setTimer: SetTimer = realTimer): Delays => {
  const endings = new Set<() => void>()
  let isStopped = false

  const wait = (ms: number, response: ServerResponse): Promise<boolean> =>
    new Promise((resolve) => {
      if (isStopped || response.destroyed) return resolve(false)
      const end = (isOver: boolean) => {
        callOff()
        response.off('close', breakOff)
        endings.delete(breakOff)
        resolve(isOver)
      }
      const breakOff = () => end(false)
      const callOff = Number.isFinite(ms) ? setTimer(() => end(true), ms) : () => {}
      endings.add(breakOff)
      response.once('close', breakOff)
    })

  return {
    pass: wait,
    forEver: async (response) => void (await wait(Number.POSITIVE_INFINITY, response)),
    get count() {
      return endings.size
    },
    stop: () => {
      isStopped = true
      for (const end of [...endings]) end()
    },
  }
}

/**
 * Sends an answer over a connection that a step has made a bad one. Settled when the answer is over or the client is
 * gone; nothing of it is left behind then.
 */
export const transmit = async (
  outgoing: Outgoing,
  response: ServerResponse,
  transport: Transport,
  draw: SeededRandom,
  delays: Delays,
): Promise<void> => {
  if (!(await begins(response, transport, draw, delays))) return void response.destroy()
  if (transport.reset) return reset(response)
  writeHead(response, outgoing)
  const bytes = response.req.method === 'HEAD' ? Buffer.alloc(0) : outgoing.bytes
  const end = transport.closeAfterBytes
  await paced(response, end === undefined ? bytes : bytes.subarray(0, end), transport.bytesPerSecond, delays)
  if (end === undefined) response.end()
  else await closed(response)
}

/** Waits as long as the transport has it; false when nothing is to be sent any more. */
export const begins = async (
  response: ServerResponse,
  { delay, hang }: Transport,
  draw: SeededRandom,
  delays: Delays,
): Promise<boolean> => {
  if (hang) await delays.forEver(response)
  if (hang) return false
  return delay === undefined || delays.pass(delayMs(delay, draw), response)
}

const reset = ({ socket }: ServerResponse): void => {
  socket?.resetAndDestroy()
}

const writeHead = (response: ServerResponse, { status, headers, bytes, declaredBytes }: Outgoing): void => {
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Content-Length', declaredBytes ?? bytes.length)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // A wrong length would shift every later answer on the connection, so this is the last one.
  if (declaredBytes !== undefined) response.setHeader('Connection', 'close')
  response.writeHead(status)
  response.flushHeaders()
}

const BEATS_PER_SECOND = 10

const paced = async (
  response: ServerResponse,
  bytes: Buffer,
  bytesPerSecond: number | undefined,
  delays: Delays,
): Promise<void> => {
  if (bytesPerSecond === undefined) return written(response, bytes)
  const beats = Math.min(BEATS_PER_SECOND, bytesPerSecond)
  const step = Math.round(bytesPerSecond / beats)
  for (let at = 0; at < bytes.length; at += step) {
    if (!(await delays.pass(SECOND / beats, response))) return void response.destroy()
    await written(response, bytes.subarray(at, at + step))
  }
}

/** Resolves when the bytes have been handed to the system, or the connection is gone. */
const written = (response: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (bytes.length === 0 || response.destroyed) resolve()
    else response.write(bytes, () => resolve())
  })

const closed = async (response: ServerResponse): Promise<void> => {
  // What was written is sent before the connection ends, so that the client has got so many bytes and no more.
  await new Promise<void>((resolve) => {
    if (response.socket === null || response.socket.destroyed) resolve()
    else response.socket.end(() => resolve())
  })
  response.destroy()
}
