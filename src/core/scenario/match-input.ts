import type { Body, Call } from '../contract.js'
import type { Account } from '../model/account.js'
import type { State, Task } from '../model/task.js'
import type { Instant } from '../schedule/timeline.js'

const MOST_DEPTH = 8

/**
 * The prompt of a request body of any family: what stands under `text` or `prompt`, in order, joined by line breaks.
 * Undefined where there is none. It is read before the shape is known, so that steps can act on calls that are refused.
 */
export const promptIn = (body: unknown): string | undefined => within(undefined, body, 0)

const within = (prompt: string | undefined, value: unknown, depth: number): string | undefined => {
  if (value === null || typeof value !== 'object' || depth > MOST_DEPTH) return prompt
  return Array.isArray(value) ? inList(prompt, value, depth) : inObject(prompt, value, depth)
}

// Items are counted, since naming each would cost several times as much.
const inList = (prompt: string | undefined, list: readonly unknown[], depth: number): string | undefined => {
  let all = prompt
  for (const item of list) if (typeof item === 'object') all = within(all, item, depth + 1)
  return all
}

// Keys are walked in place, since lists of them would be most of what a call with a scenario leaves behind.
const inObject = (prompt: string | undefined, value: object, depth: number): string | undefined => {
  let all = prompt
  for (const key in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[key]
    if (typeof inner === 'object') all = within(all, inner, depth + 1)
    else if (typeof inner === 'string' && (key === 'text' || key === 'prompt'))
      all = all === undefined ? inner : `${all}\n${inner}`
  }
  return all
}

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
