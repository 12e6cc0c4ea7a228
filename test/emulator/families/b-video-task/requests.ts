import type { Decision } from '../../../../src/emulator/core/contract.js'
import type { ResolvedMedia } from '../../../../src/emulator/core/media/input.js'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import type { VideoParams } from '../../../../src/emulator/families/b-video-task/schema.js'
import {
  audio,
  type ContextParts,
  contextWith,
  create,
  image,
  later,
  read,
  type TestContext,
  taskOf,
  video,
} from '../context.js'

export const STANDARD = 'videoa-2-0-260128'
export const FAST = 'videoa-2-0-fast-260128'

export const text = (words = 'A tram climbs a steep street') => ({ type: 'text', text: words })

const kinds = { picture: 'image_url', clip: 'video_url', sound: 'audio_url' } as const
const item =
  (name: keyof typeof kinds) =>
  (role?: string, url = `https://media.test/${name}`) => ({
    type: kinds[name],
    [kinds[name]]: { url },
    ...(role === undefined ? {} : { role }),
  })
export const picture = item('picture')
export const clip = item('clip')
export const sound = item('sound')

/** What stands behind the items of this file. */
export const media: Readonly<Record<string, ResolvedMedia>> = {
  'https://media.test/picture': image(),
  'https://media.test/clip': video(),
  'https://media.test/sound': audio(),
}

/** Text-to-video, unless something else is asked for. */
export const request = (fields: Record<string, unknown> = {}) => ({
  model: STANDARD,
  content: [text()],
  ...fields,
})

export const withContent = (...content: unknown[]) => request({ content })

const contextOf = (context: TestContext | ContextParts): TestContext =>
  'random' in context ? context : contextWith({ resolvedMedia: media, ...context })

export const make = (body: unknown, context: TestContext | ContextParts = {}): Decision =>
  create(videoTask, body, contextOf(context))

/** What is settled of an accepted request. */
export const paramsOf = (body: unknown, parts: TestContext | ContextParts = {}): VideoParams => {
  const context = contextOf(parts)
  return taskOf(make(body, context), context).params as VideoParams
}

/** The id of the task that a request makes. */
export const idOf = (body: unknown, context: TestContext): string => taskOf(make(body, context), context).id

export interface TaskObject {
  readonly id: string
  readonly status: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly content?: { readonly video_url: string; readonly last_frame_url?: string }
  readonly usage?: { readonly completion_tokens: number; readonly total_tokens: number }
  readonly [field: string]: unknown
}

/** The query object of a request once it has succeeded. */
export const finished = (body: unknown, parts: ContextParts = {}): TaskObject => {
  const context = contextWith({ resolvedMedia: media, ...parts })
  const id = idOf(body, context)
  return read(videoTask, id, later(context, 60_000)).reply.body as TaskObject
}

/** The media that a request comes to. */
export const mediaMadeBy = (body: unknown, parts: ContextParts = {}) => {
  const context = contextWith({ resolvedMedia: media, ...parts })
  const id = idOf(body, context)
  const last = context.account.tasks.get(id)?.timeline.at(-1)?.value
  if (last?.state !== 'succeeded') throw new Error('the life does not succeed')
  return last.media
}
