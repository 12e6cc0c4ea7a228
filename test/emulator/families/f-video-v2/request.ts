import { lastOf } from '../../../../src/emulator/core/schedule/time.js'
import { videoV2 } from '../../../../src/emulator/families/f-video-v2/index.js'
import { at, type ContextParts, contextWith, create, type TestContext, taskOf } from '../context.js'

type Item = Record<string, unknown>

export const text = (words = 'a lantern on a boat'): Item => ({ type: 'text', text: words })

/** A content item that names a medium; without a role where none is given. */
export const picture = (url: string, role?: string): Item => item('image_url', url, role)
export const clip = (url: string, role?: string): Item => item('video_url', url, role)
export const sound = (url: string, role?: string): Item => item('audio_url', url, role)

const item = (type: string, url: string, role?: string): Item => ({
  type,
  [type]: { url },
  ...(role === undefined ? {} : { role }),
})

/** A media address on another host; each number is another one. */
export const url = (number = 1): string => `https://media.test/${number}`

/** `count` of the same kind and role, each from an address of its own. */
export const several = (count: number, make: typeof picture, role?: string): Item[] =>
  Array.from({ length: count }, (_, index) => make(url(index + 1), role))

/** A request of gamma-H3 that is right as it stands, with what is given in place of its fields. */
export const request = (change: Record<string, unknown> = {}) => ({
  model: 'gamma-H3',
  content: [text()],
  duration: 5,
  ...change,
})

interface Problem {
  readonly type: string
  readonly error: { readonly type: string; readonly message: string; readonly http_code: string }
  readonly request_id: string
}

/** Status and message of what a request is answered; the message is empty where it is accepted. */
export const answer = (body: unknown, context: TestContext = contextWith()) => {
  const { reply, meta: notes } = create(videoV2, body, context)
  const message = reply.status === 200 ? '' : (reply.body as Problem).error.message
  return { status: reply.status, message, rules: notes.refusedBy.map(({ rule }) => rule) }
}

export const DAY = 86_400_000

/** The task that a request makes, its context, and the context at the moment when the task has ended. */
export const made = (change: Record<string, unknown> = {}, parts: ContextParts = {}) => {
  const context = contextWith(parts)
  const task = taskOf(create(videoV2, request(change), context), context)
  return { context, task, ended: at(context, lastOf(task.timeline).at) }
}
