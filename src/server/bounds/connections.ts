import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Settings } from '../../core/settings.js'
import type { Bounds } from './bounds.js'

/** Closes connections beyond the bound as they come: there is nobody yet who could be told why. */
export const limitConnections = (
  server: Server,
  { settings, bounds }: { readonly settings: Settings; readonly bounds: Bounds },
): void => {
  let open = 0
  server.maxConnections = settings.connectionsMost
  server.on('connection', (connection: Socket) => {
    open += 1
    bounds.saw('connections', open)
    connection.once('close', () => {
      open -= 1
    })
  })
  server.on('drop', () => bounds.refuse('connections'))
  bounds.measure({ connections: () => open })
}
