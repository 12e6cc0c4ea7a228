/**
 * What a call waits for: its `body` to come in, the `media` that it names, its file to be rendered (`rendering`), a step of a
 * `scenario`, the client that reads its file (`sending`), or the emulator itself (`decision`).
 */
export const waits = ['body', 'media', 'decision', 'scenario', 'rendering', 'sending'] as const

/** A call that the journal does not have yet. */
export interface InFlightCall {
  readonly accountKey: string
  /** Undefined where no operation has such a route. */
  readonly operation: string | undefined
  readonly method: string
  readonly path: string
  /** The task that it makes, reads or downloads, or undefined where it is not known yet, or there is none. */
  readonly task: string | undefined
  readonly waitsFor: (typeof waits)[number]
  /** For how long, in milliseconds of real time since its headers were read. */
  readonly ms: number
}
