import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Exchanges } from './exchanges.js'

/**
 * Ends connections on which nothing has moved for the server's timeout: those that ask nothing more, and those that
 * leave an answer unread. One that waits for its answer is left alone, however long the emulator takes on purpose, and
 * for the headers of one that has yet to ask there is a time of its own.
 */
export const destroyIdle = (server: Server, exchanges: Exchanges): void => {
  server.on('timeout', (connection: Socket) => {
    const isIdle = exchanges.hasAsked(connection) && exchanges.of(connection).length === 0
    if (!isIdle && connection.writableLength === 0) connection.setTimeout(server.timeout)
    else connection.destroy()
  })
}
