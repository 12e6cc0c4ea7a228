import type { AdvanceResult } from '../../../src/emulator/accounts/clock.js'
import type { Emulator } from '../../../src/emulator/emulator.js'
import { KEY } from '../../emulator.js'

/** The log in one line a callback, oldest first: `challenge delivered`, `queued failed`. */
export const callbackLog = async ({ callbacks }: Emulator): Promise<string[]> => {
  const { items } = await callbacks.list(KEY)
  return items.map(({ kind, status, state }) => `${status ?? kind} ${state}`).reverse()
}

/** What happened, in a line each: `task running`, `callback delivered`. */
export const eventLines = ({ events }: AdvanceResult): string[] =>
  events.map(({ kind, detail }) => `${kind} ${detail}`)
