import type { ActionTypes } from './calls.js'

export type ActionName = keyof ActionTypes
/** What callers give, with defaults still to be filled in. */
export type ActionInput<N extends ActionName> = ActionTypes[N]['given']
/** What comes back once it has happened. */
export type ActionOutput<N extends ActionName> = ActionTypes[N]['result']

/**
 * Does an action by name: in this process, or over the control API of an emulator that runs elsewhere. Handles are
 * written against this alone, so that both kinds cannot drift apart.
 */
export type Transport = <N extends ActionName>(name: N, input: ActionInput<N>) => Promise<ActionOutput<N>>
