export interface EmulatorErrorOptions {
  /** What to do about it, one sentence. */
  readonly hint?: string
  /** A stable name for programs: `port-taken`, `ffmpeg-missing`. */
  readonly code?: string
  readonly cause?: unknown
  /** What there was instead, as data: for whoever waited for something else. */
  readonly found?: unknown
}

/**
 * Something is wrong with the emulator or its set-up, as opposed to an error that the service itself would answer.
 * The message says what was expected and what was found; the hint says what to do.
 */
export class EmulatorError extends Error {
  override readonly name = 'EmulatorError'
  readonly hint: string | undefined
  readonly code: string
  /** What there was instead, as data; undefined where the message says it all. */
  readonly found: unknown

  constructor(message: string, options: EmulatorErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hint = options.hint
    this.code = options.code ?? 'emulator-error'
    this.found = options.found
    // Test frameworks show the stack and no properties, and whoever reads it there wants to know what to do.
    if (this.hint) this.stack = this.stack?.replace(message, () => `${message}\n${this.hint}`)
  }
}
