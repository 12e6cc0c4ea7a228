import { once } from 'node:events'
import { URL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { EmulatorHandles } from '../client/handles.js'
import { connectEmulator } from '../client/remote.js'
import { EmulatorError } from '../core/errors.js'
import type { EmulatorSettings } from '../generated/emulator-settings.js'

/** An emulator for the tests of one file. */
export interface OwnServer {
  readonly emulator: EmulatorHandles
  /** Token of its control API; undefined: it requires none. */
  readonly token?: string | undefined
  readonly stop: () => Promise<void>
}

/** An emulator in this process, loaded only where one is needed. */
export const startInProcess = async (settings: EmulatorSettings): Promise<OwnServer> => {
  const { startEmulator } = await import('../client/start-emulator.js')
  const emulator = await startEmulator(settings)
  return { emulator, token: emulator.controlToken, stop: emulator.stop }
}

/** Message of the thread when it has started, or has not. */
export type FromThread =
  | { readonly url: string; readonly token: string | undefined }
  | { readonly error: Pick<EmulatorError, 'message' | 'code' | 'hint'> }

const startInThread = async (settings: EmulatorSettings): Promise<OwnServer> => {
  const thread = new Worker(new URL('./emulator-thread.js', import.meta.url), { workerData: settings })
  try {
    const [reply] = (await once(thread, 'message')) as [FromThread]
    if ('error' in reply) throw new EmulatorError(reply.error.message, reply.error)
    const { url, token } = reply
    return {
      emulator: connectEmulator(url, { token }),
      token,
      stop: async () => {
        const ended = once(thread, 'exit')
        thread.postMessage('stop')
        await ended
      },
    }
  } catch (error) {
    // A thread that goes on running keeps the process of the tests.
    await thread.terminate()
    throw error
  }
}

// In a context of node:vm, Function is another one than that of Node's own modules.
const isInVmContext = !(once instanceof Function)

/**
 * Starts an emulator for the tests of a file. Jest, and vitest in the pools vmThreads and vmForks, run tests in a context of
 * node:vm, with modules, globals and imports of its own, in which Express cannot be loaded: a thread is outside of it.
 */
export const startOwnServer = isInVmContext ? startInThread : startInProcess
