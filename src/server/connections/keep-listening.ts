import type { Server } from 'node:http'
import type { HealthIssues } from '../troubles.js'

const BETWEEN_TRIES_MS = 1_000

export interface Place {
  readonly port: number
  readonly host: string
}

/**
 * Keeps a server that listens listening: what goes wrong with its socket is told and outlived, and a port that was lost
 * is taken again as soon as it can be had.
 * @returns what lets it close
 */
export const relisten = (server: Server, { port, host }: Place, troubles: HealthIssues): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const tryAgainSoon = () => {
    clearTimeout(timer)
    if (isOver || server.listening) return
    timer = setTimeout(() => server.listen(port, host), BETWEEN_TRIES_MS)
    timer.unref()
  }

  // Without a listener, an error of the socket (no file handles left, above all) would end the process.
  server.on('error', (error) => {
    if (!isOver) troubles.had('listening', error)
    tryAgainSoon()
  })
  server.on('close', () => {
    if (isOver) return
    troubles.had('listening', new Error(`port ${port} on ${host} was lost`))
    tryAgainSoon()
  })
  const works = () => troubles.over('listening')
  server.on('listening', works)
  server.on('connection', works)

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
