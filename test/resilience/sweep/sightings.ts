import type { CallbackSighting, CallSighting, Sighting } from '../../../src/resilience/sweep/sighting.js'

const START = 1_000_000

/** A call at so many milliseconds after the start, on both clocks. */
export const call = (
  operation: string,
  { ms = 0, ...facts }: Partial<CallSighting> & { readonly ms?: number } = {},
): CallSighting => ({
  ...{ kind: 'call', account: 'a', at: START + ms, wall: START + ms, operation, status: 200 },
  ...{ method: 'GET', headers: [] },
  request: `${operation} ${facts.task ?? ''}`,
  ...facts,
})

/** A create that makes a task, and what became of it. */
export const made = (
  task: string,
  state: Extract<Sighting, { kind: 'task' }>['state'],
  { price = 0.5, ...facts }: Partial<CallSighting> & { readonly price?: number } = {},
): Sighting[] => [
  call('b-video-task.create', { request: 'boat', ...facts, task, makes: true }),
  { kind: 'task', account: facts.account ?? 'a', at: START, task, state, price },
]

export const read = (task: string, facts: Parameters<typeof call>[1] = {}): CallSighting =>
  call('b-video-task.read', { ...facts, task })

export const download = (task: string, facts: Parameters<typeof call>[1] = {}): CallSighting =>
  call('results.download', { ...facts, task })

export const callback = (facts: Partial<CallbackSighting> = {}): CallbackSighting => ({
  ...{ kind: 'callback', account: 'a', at: START, task: '1', operation: 'f-video-v2.create' },
  ...{ message: 'delivery', status: 'succeeded', isRefused: false },
  ...facts,
})

/** A whole conversation: made, asked about until it is over, fetched. */
export const whole = (task = '1', facts: Partial<CallSighting> = {}): Sighting[] => [
  ...made(task, 'succeeded', facts),
  read(task, facts),
  read(task, { ...facts, final: true }),
  download(task, facts),
]
