import type { Duplex } from 'node:stream'

/**
 * Writes a last answer and closes. Ended at once, the answer would be lost where the client is still sending: its system
 * throws away what it has not read yet. So the connection ends on both sides when the client has gone, or after a time.
 */
export const closeGracefully = (connection: Duplex, answer: string, patienceMs: number): void => {
  connection.on('error', () => connection.destroy())
  connection.end(answer)
  connection.resume()
  const timer = setTimeout(() => connection.destroy(), patienceMs)
  connection.once('close', () => clearTimeout(timer))
}
