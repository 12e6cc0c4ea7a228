/** A number is the most there may be; null is no limit. */
export interface AccountLimits {
  readonly requestsPerMinute: number | null
  readonly tasksInFlight: number | null
  readonly imageQuota: number | null
}

/** What an account is worth, what it is allowed, and how much there is on it. */
export interface AccountRecord {
  /** What stands for the API key where it must not be shown. */
  readonly tag: string
  /** What was paid in, less what was spent; in the currency that the setting `prices` is in, as `spent`. */
  readonly balance: number
  readonly spent: number
  readonly agreementAccepted: boolean
  readonly limits: AccountLimits
  /** Creates and uploads accepted so far. */
  readonly ordinal: number
  readonly tasks: number
  readonly tasksInFlight: number
  readonly imagesMade: number
  readonly now: string
}

/** Accounts as they were at one time; they stand in the memory of the emulator under its id. */
export interface Snapshot {
  readonly id: string
  readonly accounts: number
  /** Of all of these accounts together. */
  readonly tasks: number
}
