import { EmulatorError } from '../../../core/emulator-error.js'
import type { BlobStats } from './ledger.js'

export const notOpened = (folder: string, cause: unknown): EmulatorError =>
  new EmulatorError(`The folder for inputs, ${folder}, cannot be made or read${reasonOf(cause)}.`, {
    code: 'inputs-folder',
    hint: 'Set mediaFolder to a folder that can be written to.',
    cause,
  })

export const noRoomFor = (bytes: number, { maxBytes, pinnedBytes }: BlobStats): never => {
  throw new EmulatorError(
    `An input of ${bytes} bytes does not fit into the store of inputs: it holds at most ${maxBytes} bytes, of which ${pinnedBytes} are in use.`,
    {
      code: 'inputs-full',
      hint: 'Raise the setting inputBytes, or reset accounts that are no longer needed.',
    },
  )
}

export const alreadyStopped = (): EmulatorError =>
  new EmulatorError('An input came in after the emulator was stopped.', { code: 'stopped' })

const reasonOf = (cause: unknown): string => {
  const { code } = cause as NodeJS.ErrnoException
  return code === undefined ? '' : ` (${code})`
}
