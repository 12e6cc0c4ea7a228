import { EmulatorError } from './errors.js'

/** Something that the control API cannot do: an HTTP status, a stable code, a sentence, and what to do instead. */
export class ControlError extends EmulatorError {
  constructor(
    readonly status: number,
    code: string,
    message: string,
    hint = '',
    /** What there is, for whoever waited for something else. */
    found?: unknown,
  ) {
    super(message, { code, hint, found })
  }
}

export const controlErrorBody = (error: EmulatorError) => ({
  error: {
    code: error.code,
    message: error.message,
    hint: error.hint ?? '',
    ...(error.found !== undefined ? { found: error.found } : {}),
  },
})
