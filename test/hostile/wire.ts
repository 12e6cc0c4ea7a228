import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An answer as it was on the wire. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** A connection that says anything, HTTP or not. */
export interface Connection {
  readonly socket: Socket
  /** Comes back when the system has taken it, or cannot any more. */
  say(text: string | Buffer): Promise<void>
  /** The next answer; undefined where the connection ends before it has come whole. */
  answer(): Promise<Answer | undefined>
  /** Comes back when the connection has ended, from whatever side. */
  ended(): Promise<void>
  leave(): void
}

export const connectTo = async (port: number): Promise<Connection> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  // An end in the middle is one of the things that are waited for, and not an error of the test.
  socket.on('error', () => {})
  await once(socket, 'connect')
  let received = Buffer.alloc(0)
  let isOver = false
  let wake = () => {}
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    wake()
  })
  for (const event of ['end', 'close'])
    socket.once(event, () => {
      isOver = true
      wake()
    })
  const news = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })

  const answer = async (): Promise<Answer | undefined> => {
    for (;;) {
      const read = firstAnswer(received)
      if (read !== undefined) {
        received = received.subarray(read.bytes)
        if (read.answer.status >= 200) return read.answer
      } else if (isOver) return undefined
      else await news()
    }
  }

  return {
    socket,
    say: (text) =>
      new Promise((resolve) => {
        if (socket.writable) socket.write(text, () => resolve())
        else resolve()
      }),
    answer,
    ended: async () => {
      while (!isOver) await news()
    },
    leave: () => void socket.destroy(),
  }
}

/** One whole answer at the beginning of what was received; answers of the emulator say how long they are. */
const firstAnswer = (received: Buffer): { answer: Answer; bytes: number } | undefined => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(lines.map(headerOf))
  const bytes = end + 4 + Number(headers['content-length'] ?? 0)
  if (received.length < bytes) return undefined
  const text = received.subarray(end + 4, bytes).toString('utf8')
  return { answer: { status: Number(first.split(' ')[1]), headers, text }, bytes }
}

const headerOf = (line: string): [string, string] => {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** A request as it stands on the wire. Only the headers that are given are sent. */
export const requestText = (
  line: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): string => {
  const all = { Host: 'backlot.test', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${line} HTTP/1.1`, ...lines, '', body].join('\r\n')
}
