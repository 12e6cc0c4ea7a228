import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { drawRequests } from './draw.js'
import type { FuzzRequest } from './request.js'
import { type Verdict, verdictOn } from './verdict.js'

const BATCH = 250
const PATIENCE_MS = 30_000
const KEPT_IDS = 20

interface LaneParts {
  readonly port: number
  /** The account of the lane; no other lane calls it. */
  readonly key: string
  readonly seed: number
  readonly requests: number
  readonly report: (verdict: Verdict, asked: FuzzRequest) => void
}

/** Sends requests one after the other on one connection, and fills ids of earlier answers into later ones. */
export const runLane = async ({ port, key, seed, requests, report }: LaneParts): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ids: string[] = []
  for (let sent = 0; sent < requests; sent += BATCH)
    for (const drawn of drawRequests(seed + sent, Math.min(BATCH, requests - sent))) {
      const asked = ofOwnAccount(withIds(drawn, ids))
      const verdict = verdictOn(asked, await send(asked, { port, key, agent }))
      report(verdict, asked)
      for (const id of idsIn(verdict.text)) ids[ids.length % KEPT_IDS] = id
      // A scenario may answer 500, since it is asked to.
      if (isPlay(asked) && verdict.status === 200)
        await send({ method: 'DELETE', path: '/_backlot/scenario', headers: {} }, { port, key, agent })
    }
  agent.destroy()
}

/** Whether a request plays a scenario. */
const isPlay = ({ method, path }: FuzzRequest): boolean => method === 'PUT' && path.endsWith('/scenario')

/** A request that plays a scenario does so for the account of its lane: one that is drawn is of other lanes as well. */
const ofOwnAccount = (drawn: FuzzRequest): FuzzRequest => {
  if (!isPlay(drawn)) return drawn
  const { Authorization: _, ...headers } = drawn.headers
  return { ...drawn, headers }
}

const withIds = (drawn: FuzzRequest, ids: readonly string[]): FuzzRequest => {
  const filled = (text: string) =>
    text.replace(/\{(\d)\}/g, (_, at: string) => ids.at(-1 - Number(at)) ?? 'nothing-yet')
  const { body } = drawn
  return { ...drawn, path: filled(drawn.path), body: typeof body === 'string' ? filled(body) : body }
}

const idsIn = (text: string): string[] =>
  [...text.matchAll(/"(?:id|task_id|asset_id)":"([^"]{1,100})"/g)].map(([, id]) => id as string).slice(0, 2)

export interface Received {
  /** Undefined: no answer came. */
  readonly answer?: IncomingMessage
  readonly text: string
  /** Why no answer came; undefined: one did. */
  readonly trouble?: string
}

const send = (
  { method, path, headers, body }: FuzzRequest,
  { port, key, agent }: { port: number; key: string; agent: Agent },
): Promise<Received> =>
  new Promise((resolve) => {
    const all = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers }
    const fail = (error: Error) => resolve({ text: '', trouble: error.message })
    // A connection that was idle may be closed just as it is used again. What breaks a connection breaks a new one too.
    const failOrRepeat = (error: NodeJS.ErrnoException) =>
      call?.reusedSocket && error.code === 'ECONNRESET'
        ? resolve(send({ method, path, headers, body }, { port, key, agent: new Agent({ maxSockets: 1 }) }))
        : fail(error)
    let call: ClientRequest | undefined
    try {
      call = request({ port, host: '127.0.0.1', method, path, headers: all, agent })
      call.setTimeout(PATIENCE_MS, () => call?.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
      call.once('error', failOrRepeat)
      call.once('response', (answer) => {
        const chunks: Buffer[] = []
        const whole = () => resolve({ answer, text: Buffer.concat(chunks).toString('utf8') })
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          // A stream of events has no end: its beginning is the answer.
          if (answer.headers['content-type']?.startsWith('text/event-stream') !== true) return
          whole()
          call?.destroy()
        })
        answer.once('error', fail)
        answer.once('end', whole)
      })
      call.end(body)
    } catch (error) {
      // The client's library refuses to send it.
      resolve({ text: '', trouble: `not sent: ${(error as Error).message}` })
    }
  })
