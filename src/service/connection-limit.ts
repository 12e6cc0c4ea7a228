import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Quotas } from '../accounts/quotas.js'
import type { Settings } from '../core/settings.js'
import { closeGracefully, type ProtocolError, serializeProtocolError } from './listener.js'

// How many may be told at a time that there is no room, and for how long; further ones are closed without a word.
const TOLD_AT_ONCE = 100
const FAREWELL_MS = 1_000

/** Answers connections beyond the bound with 503 as they come, whatever they are about to ask, and closes them. */
export const limitConnections = (
  server: Server,
  { settings: { connectionsMost: most }, bounds }: { readonly settings: Settings; readonly bounds: Quotas },
): void => {
  // What reads requests is itself a listener; connections without room are not to reach it.
  const readers = server.listeners('connection') as ((connection: Socket) => void)[]
  server.removeAllListeners('connection')
  let open = 0
  server.maxConnections = most + TOLD_AT_ONCE
  server.on('connection', (connection: Socket) => {
    if (open >= most) {
      bounds.refuse('connections')
      closeGracefully(connection, serializeProtocolError(noRoom(most)), FAREWELL_MS)
      return
    }
    open += 1
    bounds.saw('connections', open)
    connection.once('close', () => {
      open -= 1
    })
    for (const read of readers) read.call(server, connection)
  })
  server.on('drop', () => bounds.refuse('connections'))
  bounds.measure({ connections: () => open })
}

const noRoom = (most: number): ProtocolError => ({
  status: 503,
  code: 'too_many_connections',
  message: `There are ${most} connections already, and the setting connectionsMost is ${most}.`,
})
