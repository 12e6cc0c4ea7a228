import type { MediaSpec } from '../media/spec.js'
import type { Moment, Timeline } from '../time/timeline.js'

export const states = ['pending', 'queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'] as const
/** The status words of the specification, all interfaces together (§States and transitions). */
export type State = (typeof states)[number]

/** Where a task is in its life, with what that brings: media when it succeeds, a named error when it fails. */
export type Phase<E extends string = string> =
  | { readonly state: 'pending' | 'queued' | 'running' | 'cancelled' | 'expired' }
  | { readonly state: 'succeeded'; readonly media: readonly MediaSpec[] }
  | { readonly state: 'failed'; readonly error: E }

export type TaskTimeline<E extends string = string> = Timeline<Phase<E>>

export const isFinal = (phase: Phase): boolean =>
  phase.state !== 'pending' && phase.state !== 'queued' && phase.state !== 'running'

export const mediaOf = (phase: Phase): readonly MediaSpec[] =>
  phase.state === 'succeeded' ? phase.media : []

/** A life that still has something to come, as far as it is written down. */
export const isOpen = (life: TaskTimeline): boolean =>
  !isFinal((life[life.length - 1] as Moment<Phase>).value)
