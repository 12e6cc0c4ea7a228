import type { State } from '../task/phase.js'
import type { Instant } from '../time/timeline.js'

/** Something on which a step may act: a call, or a message to a receiver. */
export interface Occasion {
  /** `b-video-task.create`, `results.download`; for a message the operation that made its task. */
  readonly operation: string
  readonly family: string
  readonly account: string
  readonly model: string | undefined
  readonly prompt: string | undefined
  /** Left out for calls. */
  readonly callback?: { readonly kind: 'challenge' | 'delivery'; readonly status: State | undefined }
  readonly now: Instant
}
