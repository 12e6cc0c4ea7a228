import { once } from 'node:events'
import { EmulatorError } from '../../core/emulator-error.js'

const STANDARD_OUTPUT = 1

/** Where lines of the log go. */
export interface Destination {
  write(line: string): void
  /** Told when writing fails, and when it works again. */
  onFailure(failed: (error: Error) => void, works: () => void): void
  /** Resolves when everything is written. */
  close(): Promise<void>
}

/**
 * Opens a file, which is made where there is none and added to where there is, or standard output for `-`. Lines are
 * written beside the event loop.
 * @throws EmulatorError `cannot-log`
 */
export const openDestination = async (file: string): Promise<Destination> => {
  const { destination } = await import('pino')
  const stream = destination({ dest: file === '-' ? STANDARD_OUTPUT : file, sync: false, mkdir: true })
  try {
    await once(stream, 'ready')
  } catch (cause) {
    throw cannotLog(file, cause as Error)
  }
  // A listener for as long as it is open: without one, a full disk would end the process.
  stream.on('error', () => {})
  return {
    write: (line) => void stream.write(line),
    onFailure: (failed, works) => {
      stream.on('error', failed)
      stream.on('write', works)
    },
    close: async () => {
      const closed = once(stream, 'close').catch(() => {})
      stream.end()
      await closed
    },
  }
}

const cannotLog = (file: string, cause: Error): EmulatorError =>
  new EmulatorError(`The log cannot be written to ${file}: ${cause.message}.`, {
    code: 'cannot-log',
    hint: 'Name a file in a folder that may be written to (logFile), or - for standard output.',
    cause,
  })
