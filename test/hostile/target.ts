import type { Socket } from 'node:net'
import { addOns } from '../../src/composition.js'
import { createEmulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings, type SettingsInput } from '../../src/emulator/settings.js'
import { type Connection, connectTo } from './wire.js'

/** An emulator on a port, for clients that do not behave. */
export interface Target {
  readonly port: number
  /** What should never happen, and did. */
  readonly bugs: readonly unknown[]
  clearBugs(): void
  connect(): Promise<Connection>
  /** Resolves when no client is connected any more. */
  idle(): Promise<void>
  close(): Promise<void>
}

/** Timeouts far beyond what a test takes, so that nothing ends by them unless a test wants it to. */
export const patient = { headersTimeoutMs: 3_600_000, requestTimeoutMs: 3_600_000 } as const

export const openTarget = async (settings: SettingsInput = {}): Promise<Target> => {
  const bugs: unknown[] = []
  const emulator = createEmulator(readSettings({ port: 0, clock: 'paused', ...settings }), {
    saveRecording: addOns.saveRecording,
    onInternalError: (error) => void bugs.push(error),
  })
  const { port, close, server } = await listen(emulator)
  const open = new Map<Socket, Promise<void>>()
  server.on('connection', (socket: Socket) => {
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
    open.set(
      socket,
      closed.then(() => void open.delete(socket)),
    )
  })
  const idle = async () => {
    while (open.size > 0) await Promise.all(open.values())
  }
  const clearBugs = () => void bugs.splice(0)
  return { port, bugs, clearBugs, connect: () => connectTo(port), idle, close }
}
