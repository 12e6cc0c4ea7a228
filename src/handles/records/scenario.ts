/** What scenarios had to do with a call or a message. */
export interface PlayedRecord {
  /** The step that acted; null where none did. */
  readonly acted: {
    readonly scenario: string
    /** From 1. */
    readonly step: number
    readonly says: string | null
    /** What it did, as its file names it: `answer.error`, `transport.hang`. */
    readonly effects: readonly string[]
  } | null
  /** Steps that could have acted, each with why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}

/** How a step of a scenario stands. */
export interface ScenarioStepRecord {
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** Fitting calls so far, and those on which it acted. */
  readonly seen: number
  readonly acted: number
  /** How often it may act; null is without end. */
  readonly times: number | null
  readonly required: boolean
  /** Why it did not act on the latest call that it was about; null where it did, and where there was none. */
  readonly lastMiss: string | null
}

/** A scenario that plays for an account. */
export interface PlayingScenario {
  readonly name: string
  readonly says: string
  /** When it began. */
  readonly since: string
  readonly steps: readonly ScenarioStepRecord[]
}
