import type { Calls } from './calls.js'

export type ActionName = keyof Calls
/** What callers give, with defaults still to be filled in. */
export type Given<N extends ActionName> = Calls[N]['given']
/** What comes back once it has happened. */
export type Result<N extends ActionName> = Calls[N]['result']

/**
 * Does an action by name: in this process, or over the control API of an emulator that runs elsewhere. Handles are
 * written against this alone, so that both kinds cannot drift apart.
 */
export type Invoke = <N extends ActionName>(name: N, input: Given<N>) => Promise<Result<N>>
