import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Load } from './load.js'

/** Connections that stay open from one turn to the next, so that a turn can be as short as one likes. */
export interface Connections {
  /** Makes so many requests. @throws Error when an answer was not 200 */
  make(requests: number): Promise<void>
  close(): void
}

/** Opens 16 connections for the requests of a load in the name of an account. */
export const openConnections = async (
  { url, method = 'GET', body = '' }: Load,
  key: string,
): Promise<Connections> => {
  const { hostname, port, host, pathname } = new URL(url)
  const head = `${method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n`
  const request = `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  const sockets = Array.from({ length: 16 }, () => connect(Number(port), hostname).setNoDelay())
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return {
    make: async (requests) => {
      let left = requests
      // One after the other on each of them.
      const runs = sockets.map(async (socket) => {
        while (left > 0) {
          left -= 1
          await asked(socket, request)
        }
      })
      await Promise.all(runs)
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const asked = (socket: Socket, request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let answer = ''
    const ended = () => reject(new Error(`The connection ended after: ${answer}`))
    const read = (bytes: Buffer) => {
      answer += bytes.toString('latin1')
      if (!isWhole(answer)) return
      socket.off('data', read).off('close', ended)
      if (answer.startsWith('HTTP/1.1 200 ')) resolve()
      else reject(new Error(answer))
    }
    socket.on('data', read).once('close', ended)
    socket.write(request)
  })

const isWhole = (answer: string): boolean => {
  const end = answer.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(answer)?.[1]
  return end >= 0 && length !== undefined && answer.length >= end + 4 + Number(length)
}
