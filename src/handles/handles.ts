import type { State } from '../core/task/phase.js'
import { type Duration, parseDuration } from '../core/time/duration.js'
import type { Given, Invoke, Result } from './invoke.js'

/** How far to move a clock: by a duration, to the next moment, until nothing is left to happen, or to a time. */
export type Advance = Duration | { readonly to: 'next' | 'idle' | Date | string }

export interface WaitOptions {
  /** How long to wait, in real time; 5 s when left out. */
  readonly timeout?: Duration
}

/** What can be done with one account of an emulator. Everything answers with plain data, as the control API does. */
export interface AccountHandles {
  /** The API key of the account. */
  readonly key: string
  readonly clock: {
    read(): Promise<Result<'clock.read'>>
    /** Moves the clock; when it resolves, everything due has happened, and it says what did. */
    advance(how: Advance): Promise<Result<'clock.advance'>>
    change(change: Given<'clock.change'>): Promise<Result<'clock.change'>>
  }
  readonly tasks: {
    list(filter?: Given<'tasks.list'>): Promise<Result<'tasks.list'>['items']>
    get(id: string): Promise<Result<'tasks.read'>>
    /** Forces what has not happened yet: `fail` with the name of an error of the family. */
    force(id: string, status: Exclude<State, 'pending'>, error?: string): Promise<Result<'tasks.force'>>
    fail(id: string, error: string): Promise<Result<'tasks.force'>>
    /** Resolves once the task has reached the status, or has ended where none is given. @throws EmulatorError `not-yet` */
    waitFor(id: string, status?: State, options?: WaitOptions): Promise<Result<'tasks.read'>>
  }
  readonly requests: {
    /** Newest first. */
    list(filter?: Given<'requests.list'>): Promise<Result<'requests.list'>['items']>
    get(id: string): Promise<Result<'requests.read'>>
    /** Why a call was answered as it was, in sentences. */
    explain(id: string): Promise<readonly string[]>
    waitFor(
      filter: Omit<Extract<Given<'wait'>, { for: 'request' }>, 'for' | 'timeout'>,
      options?: WaitOptions,
    ): Promise<Result<'requests.list'>['items']>
  }
  /** What the account is worth and allowed. */
  read(): Promise<Result<'account.read'>>
  change(change: Given<'account.change'>): Promise<Result<'account.change'>>
  /** Resolves once nothing is left to happen. @throws EmulatorError `not-yet` */
  idle(options?: WaitOptions): Promise<void>
  /** The account begins anew. */
  reset(): Promise<void>
}

const timeoutOf = ({ timeout }: WaitOptions = {}) =>
  timeout === undefined ? {} : { timeout: `${parseDuration(timeout)}ms` }

const advanceInput = (how: Advance): Given<'clock.advance'> => {
  if (typeof how !== 'object') return { by: how }
  return { to: how.to instanceof Date ? how.to.toISOString() : how.to }
}

/** The handles of one account, on any way of doing actions. */
export const createHandles = (key: string, invoke: Invoke): AccountHandles => ({
  key,
  clock: {
    read: () => invoke('clock.read', {}),
    advance: (how) => invoke('clock.advance', advanceInput(how)),
    change: (change) => invoke('clock.change', change),
  },
  tasks: {
    list: async (filter = {}) => (await invoke('tasks.list', filter)).items,
    get: (id) => invoke('tasks.read', { id }),
    force: (id, status, error) =>
      invoke('tasks.force', { id, status, ...(error === undefined ? {} : { error }) }),
    fail: (id, error) => invoke('tasks.force', { id, status: 'failed', error }),
    waitFor: async (id, status, options) =>
      (await invoke('wait', {
        for: 'task',
        id,
        ...(status === undefined ? {} : { status }),
        ...timeoutOf(options),
      })) as Result<'tasks.read'>,
  },
  requests: {
    list: async (filter = {}) => (await invoke('requests.list', filter)).items,
    get: (id) => invoke('requests.read', { id }),
    explain: async (id) => (await invoke('requests.read', { id })).explanation,
    waitFor: async (filter, options) =>
      (
        (await invoke('wait', {
          for: 'request',
          ...filter,
          ...timeoutOf(options),
        })) as Result<'requests.list'>
      ).items,
  },
  read: () => invoke('account.read', {}),
  change: (change) => invoke('account.change', change),
  idle: async (options) => {
    await invoke('wait', { for: 'idle', ...timeoutOf(options) })
  },
  reset: async () => {
    await invoke('reset', {})
  },
})
