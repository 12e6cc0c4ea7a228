import { parentPort, workerData } from 'node:worker_threads'
import type { EmulatorError } from '../../emulator/surface/records.js'
import { startEmulator } from '../../start-emulator.js'
import type { FromThread } from '../server.js'

/** An emulator in a thread of its own: says where it answers, and stops when it is told anything. */
const run = async (): Promise<void> => {
  try {
    const { url, controlToken: token, stop } = await startEmulator(workerData)
    parentPort?.once('message', () => void stop().then(() => parentPort?.close()))
    say({ url, token })
  } catch (error) {
    const { message, sentence = message, code, hint } = error as Error & Partial<EmulatorError>
    say({ error: { message: sentence, code: code ?? 'emulator-error', hint } })
  }
}

const say = (message: FromThread): void => parentPort?.postMessage(message)

void run()
