import type { EventEmitter } from 'node:events'
import type { Events } from '../../core/events.js'
import { counter, type Metric, samplesBy } from './metric.js'

/** Counts what comes about on accounts, and what goes wrong. */
export interface EventCounts {
  /** By what became of them. */
  callbacks(): Readonly<Record<string, number>>
  errors(): number
  metrics(): Metric[]
}

export const countEvents = (events: EventEmitter<Events>): EventCounts => {
  const changes = new Map<string, number>()
  const callbacks = new Map<string, number>()
  let bugs = 0
  events.on('happening', ({ kind, detail, task }) => {
    if (kind === 'callback') add(callbacks, detail)
    else if (task !== undefined) add(changes, `${task.family} ${detail}`)
  })
  events.on('bug', () => {
    bugs += 1
  })
  const metrics = (): Metric[] => [
    counter(
      'task_changes_total',
      'Status changes of tasks after their creation.',
      [...changes].map(([name, value]) => ({ labels: familyAndState(name), value })),
    ),
    counter(
      'callbacks_total',
      'What became of callbacks: passed (a challenge), delivered, retrying, failed, skipped.',
      samplesBy('outcome', callbacks),
    ),
    counter('errors_total', 'What failed in the emulator itself and should not have.', bugs),
  ]
  return { callbacks: () => Object.fromEntries(callbacks), errors: () => bugs, metrics }
}

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

export const familyAndState = (name: string): { family: string; state: string } => {
  const [family = '', state = ''] = name.split(' ')
  return { family, state }
}
