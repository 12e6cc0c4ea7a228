import { EmulatorError } from './errors.js'

/** Something that the control API cannot do: an HTTP status, a stable code, a sentence, and what to do instead. */
export class ControlError extends EmulatorError {
  constructor(
    readonly status: number,
    code: string,
    message: string,
    hint = '',
    /** The actual state when a wait timed out, as data. */
    found?: unknown,
  ) {
    super(message, { code, hint, found })
  }
}

export const controlErrorBody = (error: EmulatorError) => ({
  error: {
    code: error.code,
    message: error.sentence,
    hint: error.hint ?? '',
    ...(error.found !== undefined ? { found: error.found } : {}),
  },
})
