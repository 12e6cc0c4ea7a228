import type { Account, Callback } from '../model/account.js'
import { type Body, type Call, taskIdIn } from '../model/call.js'
import type { State, Task } from '../model/task.js'
import type { Instant } from '../schedule/time.js'

/** Match input: a call, or a message to a receiver, as selectors look at it. */
export interface MatchInput {
  /** `b-video-task.create`, `results.download`; for a message the operation that made its task. */
  readonly operation: string
  /** Undefined: a message to a receiver. */
  readonly method?: string
  /** By their names in lower case. Undefined: unknown, as of a message. */
  readonly headers?: Call['headers']
  readonly account: string
  /** Of the request, or of the task that it is about. */
  readonly model: string | undefined
  /** Searched for only where a step asks: a body is searched from end to end. */
  readonly prompt: () => string | undefined
  /** Undefined: a call. */
  readonly callback?: { readonly kind: 'challenge' | 'delivery'; readonly status: State | undefined }
  readonly now: Instant
}

/** Match input of a call. Model and prompt are those of its body, or of the task that its path names. */
export const inputOfCall = (
  { id }: { readonly id: string },
  { method, headers, body, params }: Pick<Call, 'method' | 'headers' | 'body' | 'params'>,
  account: Readonly<Account>,
  now: Instant,
): MatchInput => {
  const task = account.tasks.get(taskIdIn(params) ?? '')
  let prompt: string | null | undefined = null
  return {
    operation: id,
    method,
    ...(headers === undefined ? {} : { headers }),
    account: account.key,
    model: task?.model ?? modelIn(body),
    prompt: () => {
      if (prompt === null) prompt = task === undefined ? promptIn(jsonOf(body)) : promptOf(task)
      return prompt
    },
    now,
  }
}

/** Match input of a message to the receiver of a task. */
export const inputOfCallback = (
  { kind, status, task }: Callback,
  account: Readonly<Account>,
  now: Instant,
): MatchInput => ({
  operation: `${task.family}.create`,
  callback: { kind, status: status ?? undefined },
  account: account.key,
  model: task.model,
  prompt: () => promptOf(task),
  now,
})

const promptOf = ({ params }: Task): string | undefined => {
  const prompt = (params as { prompt?: unknown } | null)?.prompt
  return typeof prompt === 'string' ? prompt : undefined
}

const jsonOf = (body: Body): unknown => (body.kind === 'json' ? body.value : undefined)

const modelIn = (body: Body): string | undefined => {
  const model = (jsonOf(body) as { model?: unknown } | null | undefined)?.model
  return typeof model === 'string' ? model : undefined
}

const MAX_DEPTH = 8

/**
 * The prompt of a request body of any family: what stands under `text` or `prompt`, in order, joined by line breaks.
 * Undefined: there is none. It is read before the shape is known, so that steps can act on calls that are refused.
 */
export const promptIn = (body: unknown): string | undefined => {
  const parts: string[] = []
  collectPrompts(body, 0, parts)
  return parts.length === 0 ? undefined : parts.join('\n')
}

const collectPrompts = (value: unknown, depth: number, parts: string[]): void => {
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return
  if (Array.isArray(value)) for (const item of value) collectPrompts(item, depth + 1, parts)
  else
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') collectPrompts(inner, depth + 1, parts)
      else if (typeof inner === 'string' && (key === 'text' || key === 'prompt')) parts.push(inner)
    }
}
