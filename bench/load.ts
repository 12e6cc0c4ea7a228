import { connect, type Socket } from 'node:net'
import { percentile } from './measure.js'

/** What came of a load. Times in milliseconds. */
export interface Loaded {
  readonly requests: number
  readonly ms: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

export const CONNECTIONS = 16

/**
 * Load generator: sends so many requests over so many connections, on each the next once the one before is answered. It
 * runs in the process of the benchmark, beside the server's. Of its own because it costs half of what the usual ones do,
 * which is more than some of the servers measured do, and because it tells fractions of milliseconds.
 * @throws Error when an answer is not 200, or a connection ends
 */
export const load = async (
  url: string,
  requests: number,
  /** The bytes of a request, or of the nth one. */
  wire: Buffer | ((nth: number) => Buffer),
  connections = CONNECTIONS,
): Promise<Loaded> => {
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname).setNoDelay())
  const times = new Float64Array(requests)
  let [sent, answered] = [0, 0]
  const begin = performance.now()
  await new Promise<void>((resolve, reject) => {
    const open = (socket: Socket) => {
      let sentAt = 0
      const next = () => {
        // One that rests would be closed by the server while others still wait for their answers.
        if (sent === requests) return void socket.removeAllListeners('close').destroy()
        sentAt = performance.now()
        socket.write(typeof wire === 'function' ? wire(sent) : wire)
        sent += 1
      }
      const read = answerReader((status) => {
        if (status !== 200) return reject(new Error(`${url}: an answer was ${status}`))
        times[answered] = performance.now() - sentAt
        answered += 1
        if (answered === requests) resolve()
        else next()
      })
      socket.on('data', read)
      socket.once('error', reject)
      socket.once('close', () => reject(new Error(`${url}: a connection ended`)))
      socket.once('connect', next)
    }
    sockets.forEach(open)
  })
  const ms = performance.now() - begin
  for (const socket of sockets) socket.removeAllListeners().destroy()
  return {
    requests,
    ms,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    longest: percentile(times, 1),
  }
}

/** Reader of the answers on one connection, which tells the status of each that is whole. */
const answerReader = (tell: (status: number) => void): ((chunk: Buffer) => void) => {
  let head = ''
  // Bytes of the body that are still to come; undefined: the head is not whole, or the body comes in chunks.
  let left: number | undefined
  return (chunk) => {
    if (left !== undefined) left -= chunk.length
    else {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
      if (length === undefined && !head.endsWith('\r\n0\r\n\r\n')) return
      left = length === undefined ? 0 : end + 4 + Number(length) - head.length
    }
    if (left > 0) return
    const status = Number(head.slice(9, 12))
    head = ''
    left = undefined
    tell(status)
  }
}
