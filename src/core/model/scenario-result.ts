/** The step that acted, as it is shown and kept. */
export interface ActedStep {
  readonly scenario: string
  /** From 1. */
  readonly step: number
  readonly says: string | null
  /** What it did, as its file names it: `answer.error`, `transport.hang`. */
  readonly effects: readonly string[]
}

/** Scenario result: what scenarios had to do with a call or a message, as it is shown and kept. */
export interface ScenarioResult {
  /** Null: none acted. */
  readonly acted: ActedStep | null
  /** Steps that could have acted, each with the reason why it did not. */
  readonly nearMisses: readonly { readonly scenario: string; readonly step: number; readonly why: string }[]
}
