/** The state of a task, in the same words for every family. */
export type TaskStatus = 'pending' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired'

/** A task of any family in one shape, with everything that was and will be. */
export interface TaskRecord {
  readonly id: string
  /** `b-video-task`, `f-video-v2` and so on. */
  readonly family: string
  readonly model: string
  readonly status: TaskStatus
  /** Whole percent. */
  readonly progress: number
  readonly createdAt: string
  /** When it reached its status. */
  readonly since: string
  /** The request that made it. */
  readonly requestId: string
  /** What it costs when it succeeds. */
  readonly price: number
  readonly callbackUrl: string | null
  /** The request with everything settled that it left open: ratio, length, seed. */
  readonly order: unknown
  readonly timeline: readonly TaskMoment[]
}

/** What a task becomes, and when. */
export interface TaskMoment {
  readonly at: string
  readonly status: TaskStatus
  /** The name of the family's error; only where the task fails. */
  readonly error?: string
  /** How many results; only where the task succeeds. */
  readonly media?: number
}
