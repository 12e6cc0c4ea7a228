import { idempotent } from './concurrency.js'
import type { Emulator } from './emulator.js'

/**
 * Extension: follows an emulator from its start to its end and is no part of it, such as the log, a recording, the watcher of a
 * sweep. It is started before the emulator listens, and hears records and events.
 */
export type Extension = (emulator: Emulator) => RunningExtension | Promise<RunningExtension>

export interface RunningExtension {
  /** Called before the emulator stops, while it has its files. */
  flush?(): Promise<unknown>
  /** Called once the emulator has stopped. */
  end(): Promise<void> | void
}

/**
 * Starts extensions, one after the other. Returns the emulator, whose `stop` ends them too.
 * @throws what an extension throws, after the emulator and the extensions before it have ended
 */
export const extend = async (emulator: Emulator, extensions: readonly Extension[]): Promise<Emulator> => {
  const running: RunningExtension[] = []
  const stop = idempotent(async () => {
    for (const extension of running) await extension.flush?.()
    await emulator.stop()
    for (const extension of running) await extension.end()
  })
  try {
    for (const start of extensions) running.push(await start(emulator))
  } catch (error) {
    // A state file that it holds is free again.
    await stop()
    throw error
  }
  return { ...emulator, stop }
}
