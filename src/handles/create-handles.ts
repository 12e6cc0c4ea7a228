import { parseDuration } from '../core/time/duration.js'
import { failingScenario } from './failing.js'
import type { AccountHandles, Advance, CountedWaitOptions, NamedStep, WaitOptions } from './handles.js'
import type { ActionInput, Transport } from './invoke.js'
import type { CallbackRecord, InboxMessage } from './records/callback.js'
import type { RequestRecord } from './records/request.js'
import type { PlayingScenario } from './records/scenario.js'
import type { TaskRecord } from './records/task.js'
import { playInput } from './scenario-input.js'
import { writeRecording } from './write-recording.js'

// Whatever else is given goes along too, to be refused: an option that is misspelt would pass unseen.
const timeoutOf = ({ timeout, ...others }: WaitOptions = {}) => ({
  ...others,
  ...(timeout === undefined ? {} : { timeout: `${parseDuration(timeout)}ms` }),
})

const countOf = ({ count, ...options }: CountedWaitOptions = {}) => ({
  ...(count === undefined ? {} : { count }),
  ...timeoutOf(options),
})

const advanceInput = (how: Advance): ActionInput<'clock.advance'> => {
  if (typeof how !== 'object') return { by: how }
  return { to: how.to instanceof Date ? how.to.toISOString() : how.to }
}

const stepsOf = (playing: readonly PlayingScenario[]): NamedStep[] =>
  playing.flatMap(({ name, steps }) => steps.map((step) => ({ scenario: name, ...step })))

interface Items<T> {
  readonly items: readonly T[]
}

/**
 * The handles of one account, on any way of doing actions.
 * @param url where the emulator answers, for the addresses of its inbox; left out where nothing listens
 */
export const createHandles = (key: string, invoke: Transport, url = ''): AccountHandles => ({
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
      })) as TaskRecord,
  },
  requests: {
    list: async (filter = {}) => (await invoke('requests.list', filter)).items,
    get: (id) => invoke('requests.read', { id }),
    explain: async (id) => (await invoke('requests.read', { id })).explanation,
    save: async (file) => writeRecording(file, await invoke('recording.read', { format: 'replay' })),
    waitFor: async (filter, options) =>
      ((await invoke('wait', { ...filter, for: 'request', ...countOf(options) })) as Items<RequestRecord>)
        .items,
  },
  callbacks: {
    list: async (filter = {}) => (await invoke('callbacks.list', filter)).items,
    get: (id) => invoke('callbacks.read', { id }),
    redeliver: (id) => invoke('callbacks.redeliver', { id }),
    waitFor: async (filter, options) =>
      ((await invoke('wait', { ...filter, for: 'callback', ...countOf(options) })) as Items<CallbackRecord>)
        .items,
  },
  scenario: {
    play: async (scenario) => (await invoke('scenario.play', await playInput(scenario))).items,
    steps: async () => stepsOf((await invoke('scenario.read', {})).items),
    unused: async () =>
      stepsOf((await invoke('scenario.read', {})).items).filter(
        ({ required, acted }) => required && acted === 0,
      ),
    stop: async (name) => {
      await invoke('scenario.stop', name === undefined ? {} : { name })
    },
  },
  fail: async (operation, failing) => {
    await invoke('scenario.play', failingScenario(operation, failing))
  },
  inbox: (name) => ({
    url: `${url}/_backlot/inbox/${encodeURIComponent(name)}`,
    list: async () => (await invoke('inbox.read', { name })).items,
    waitFor: async (options) =>
      ((await invoke('wait', { for: 'inbox', name, ...countOf(options) })) as Items<InboxMessage>).items,
  }),
  read: () => invoke('account.read', {}),
  change: (change) => invoke('account.change', change),
  timeline: async () => (await invoke('timeline.read', {})).items,
  looseEnds: () => invoke('loose-ends.read', {}),
  finish: () => invoke('finish', {}),
  idle: async (options) => {
    await invoke('wait', { for: 'idle', ...timeoutOf(options) })
  },
  reset: async () => {
    await invoke('reset', {})
  },
  snapshot: () => invoke('snapshots.take', {}),
  restore: async ({ id }) => {
    await invoke('snapshots.restore', { id })
  },
})
