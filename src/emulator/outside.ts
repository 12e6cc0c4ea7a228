import type { Scenario } from '../core/scenario/scenario.js'
import type { CallbackHttpClient } from '../server/callbacks/post.js'
import type { SetTimer } from '../server/faults/waits.js'

/** What an emulator has from outside of it, so that a test can put something else there. */
export interface EmulatorDependencies {
  /** Takes callbacks to their receivers; left out, over the network. */
  readonly post?: CallbackHttpClient
  /** Milliseconds since 1970; the one place from which the emulator learns what time it is. */
  readonly wall?: () => number
  /** Times the delays of scenarios; left out, by real time. */
  readonly setTimer?: SetTimer
  /** Those that play for every account from its start on, the first to be asked first. */
  readonly scenarios?: readonly Scenario[]
  /** Told of what should never happen. */
  readonly onInternalError?: (error: unknown) => void
  /** Told in a sentence of what the user should know and need not mend; left out, it is written to standard error. */
  readonly onWarning?: (sentence: string) => void
}

/** Says something to whoever started the process; standard output is left to programs that read it. */
export const writeWarning = (sentence: string): void => {
  process.stderr.write(`backlot: ${sentence}\n`)
}
