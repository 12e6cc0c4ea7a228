import { EmulatorError } from '../../core/emulator-error.js'

/** What an error of the emulator's own says to whoever made the call; nothing where it is a bug. */
export const causeOf = (error: unknown): { message?: string } =>
  error instanceof EmulatorError
    ? { message: `${error.message} ${error.hint ?? ''}`.trim().replace(/\.$/, '') }
    : {}
