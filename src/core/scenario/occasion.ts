import type { Account } from '../account/account.js'
import type { Body, Call } from '../operation.js'
import type { State } from '../task/phase.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import { promptIn } from './prompt.js'

/** Something on which a step may act: a call, or a message to a receiver. */
export interface MatchInput {
  /** `b-video-task.create`, `results.download`; for a message the operation that made its task. */
  readonly operation: string
  readonly account: string
  /** Of the request, or of the task that it is about. */
  readonly model: string | undefined
  /** Looked for when a step asks, which few do: a body is searched from end to end. */
  readonly prompt: () => string | undefined
  /** Left out for calls. */
  readonly callback?: { readonly kind: 'challenge' | 'delivery'; readonly status: State | undefined }
  readonly now: Instant
}

/** A call of an operation. Model and prompt are those of its body, or of the task that its path names. */
export const inputOfCall = (
  { id }: { readonly id: string },
  { body, params }: Pick<Call, 'body' | 'params'>,
  account: Readonly<Account>,
  now: Instant,
): MatchInput => {
  const task = account.tasks.get(firstOf(params) ?? '')
  return {
    operation: id,
    account: account.key,
    model: task?.model ?? modelIn(body),
    prompt: () => (task === undefined ? promptIn(jsonOf(body)) : promptOf(task)),
    now,
  }
}

const firstOf = (params: Call['params']): string | undefined => {
  for (const name in params) return params[name]
  return undefined
}

/** What is done about a task without a request of its own: a download of its result, a message to its receiver. */
export const inputAbout = (
  task: Task | undefined,
  account: Readonly<Account>,
  now: Instant,
  about: Pick<MatchInput, 'operation' | 'callback'>,
): MatchInput => ({
  ...about,
  account: account.key,
  model: task?.model,
  prompt: () => (task === undefined ? undefined : promptOf(task)),
  now,
})

const promptOf = ({ order }: Task): string | undefined => {
  const prompt = (order as { prompt?: unknown } | null)?.prompt
  return typeof prompt === 'string' ? prompt : undefined
}

const jsonOf = (body: Body): unknown => (body.kind === 'json' ? body.value : undefined)

const modelIn = (body: Body): string | undefined => {
  const model = (jsonOf(body) as { model?: unknown } | null | undefined)?.model
  return typeof model === 'string' ? model : undefined
}
