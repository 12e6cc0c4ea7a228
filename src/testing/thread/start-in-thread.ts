import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { EmulatorError } from '../../core/emulator-error.js'
import { connectEmulator } from '../../handles/connect.js'
import type { EmulatorSettings } from '../../handles/emulator-settings.js'
import type { OwnServer } from '../framework.js'

/** What the thread says when it has started, or has not. */
export type FromThread =
  | { readonly url: string; readonly token: string | undefined }
  | {
      readonly error: {
        readonly message: string
        readonly code: string
        readonly hint: string | undefined
      }
    }

/**
 * An emulator in a thread of its own. Jest runs tests in a world that it has rebuilt, with modules, globals and imports
 * of its own; a thread is outside of it.
 * @param file the module that the thread runs
 */
export const startInThread = async (settings: EmulatorSettings, file: URL): Promise<OwnServer> => {
  const thread = new Worker(file, { workerData: settings })
  const [said] = (await once(thread, 'message')) as [FromThread]
  if ('error' in said) {
    await thread.terminate()
    const { message, code, hint } = said.error
    throw new EmulatorError(message, { code, ...(hint === undefined ? {} : { hint }) })
  }
  const { url, token } = said
  return {
    emulator: connectEmulator(url, { token }),
    token,
    stop: async () => {
      const ended = once(thread, 'exit')
      thread.postMessage('stop')
      await ended
    },
  }
}
