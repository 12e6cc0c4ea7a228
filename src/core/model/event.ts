import type { Instant } from '../schedule/timeline.js'
import type { Callback, DeliveryJob } from './callback.js'
import type { Task } from './task.js'

/** Account event: something that happened on an account's clock. */
export interface AccountEvent {
  readonly at: Instant
  readonly kind: 'task' | 'asset' | 'callback'
  readonly id: string
  /** What it became: `running`, `succeeded`, `delivered`. */
  readonly detail: string
  /** Undefined for other kinds. */
  readonly task?: Task
  /** As it is now; undefined for other kinds. */
  readonly callback?: Callback
}

/** Effects of a transaction: what happened, for observers, and the callbacks to send. */
export interface Effects {
  readonly events: AccountEvent[]
  readonly jobs: DeliveryJob[]
  /** Lines of JSON that other replicas have to know; undefined: there are no others. */
  readonly notes?: string[]
}
