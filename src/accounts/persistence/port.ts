import type { HealthReporter } from '../../core/health-issue.js'
import type { Account } from '../../core/model/account.js'

/** How a state file stands, for whoever looks. */
export interface StateFacts {
  readonly file: string
  readonly bytes: number
  /** When it was last written, in milliseconds since 1970; null where it has not been by this process. */
  readonly writtenAt: number | null
  /** Why it cannot be written; null where it can. */
  readonly trouble: string | null
}

/** What has accounts outlive the process. */
export interface Persistence {
  /** What signs result URLs since the file was begun; undefined where nothing is kept. */
  readonly secret: string | undefined
  /** Where the bytes of inputs are kept; undefined where they are not. */
  readonly mediaFolder: string | undefined
  /** Those of the file, ready to go on. */
  readonly accounts: readonly Account[]
  /** A new account, as it is to be used from now on. */
  keep(account: Account): Account
  /** Something was done to an account. */
  ran(key: string): void
  forgotten(key: string): void
  /** Tells of what goes wrong with the file from now on. */
  reportTo(health: HealthReporter): void
  /** Says to others who want the file where the emulator answers. */
  listening(url: string): Promise<void>
  /** Null where nothing is kept. */
  facts(): StateFacts | null
  /** Writes what has not been written, and lets the file go. */
  stop(): Promise<void>
}

/** Nothing outlives the process. */
export const noPersistence: Persistence = {
  secret: undefined,
  mediaFolder: undefined,
  accounts: [],
  keep: (account) => account,
  ran: () => {},
  forgotten: () => {},
  reportTo: () => {},
  listening: async () => {},
  facts: () => null,
  stop: async () => {},
}
