import type { Account } from '../account/account.js'
import type { Limits } from '../settings.js'
import type { ClockMode } from '../time/clock.js'
import type { Instant } from '../time/timeline.js'

/** What an account opened with. */
export interface InitialState {
  readonly at: Instant
  readonly clock: ClockMode
  readonly balance: number
  readonly agreementAccepted: boolean
  readonly limits: Limits
}

/** What an account that has just been opened opened with. */
export const initialStateOf = ({ clock, credit, agreementAccepted, limits }: Account): InitialState => ({
  at: clock.now,
  clock: clock.mode,
  balance: credit,
  agreementAccepted,
  limits,
})

/** Something that was done to an account through the control API, or from the code beside it. */
export interface ControlRecord {
  /** When it was done, on the account's clock. */
  readonly at: Instant
  /** `tasks.force`. */
  readonly action: string
  readonly input: Readonly<Record<string, unknown>>
  /** Its place among everything that the journals of all accounts keep. */
  readonly sequence: number
}
