import { z } from 'zod'
import type { FileSpec, VideoSpec } from '../../media/spec.js'
import { turned } from '../../media/turned.js'
import { mediaOf, type Task, viewAt } from '../../model/task.js'
import type { Instant } from '../../schedule/time.js'
import { withHeaders } from './answer.js'
import { defineEffects, type FileContext, otherTasks } from './effect.js'

const size = /^(\d{2,4})x(\d{2,4})$/
const MAX_SECONDS = 60
const MAX_FRAMES_PER_SECOND = 120

const ofVideo = (spec: FileSpec, changes: Partial<VideoSpec>): FileSpec =>
  spec.kind === 'video' ? unlessSame(spec, changes) : spec

/** The same object where the changes change nothing: an effect that does nothing has not acted. */
const unlessSame = <T extends FileSpec>(spec: T, changes: Partial<T>): T =>
  Object.entries(changes).every(([key, value]) => spec[key as keyof T] === value)
    ? spec
    : { ...spec, ...changes }

const pixelsOf = (text: string) => {
  const [, width = '', height = ''] = size.exec(text) ?? []
  return { width: Number(width), height: Number(height) }
}

const NO_BYTES = 'there is no file then'
const notThere = { expired: NO_BYTES, missing: NO_BYTES, bytesOf: 'its bytes are those of another file' }

/** Effects after which a result is a valid file, and not the one that was ordered, in the order in which they apply. */
export const otherFile = defineEffects('result', {
  of: {
    schema: z.enum(otherTasks),
    description:
      'the file of the latest other task with such a result, or that of the first one, so that tasks share a file',
    breaks: 'order',
    conflicts: notThere,
    onFile: (spec, which, { otherFile }) => otherFile(spec, which) ?? spec,
  },
  seconds: {
    schema: z.int().min(1).max(MAX_SECONDS),
    description: 'a video of another length',
    breaks: 'order',
    conflicts: notThere,
    onFile: (spec, seconds) => ofVideo(spec, { seconds }),
  },
  size: {
    schema: z.string().regex(size, { error: 'a size such as 640x360' }),
    description: 'another width and height: 640x360',
    breaks: 'order',
    conflicts: notThere,
    problems: (text) => {
      const { width, height } = pixelsOf(text)
      return [(width % 2 !== 0 || height % 2 !== 0) && 'a video has an even width and height']
    },
    onFile: (spec, text) =>
      spec.kind === 'video'
        ? ofVideo(spec, pixelsOf(text))
        : spec.kind === 'picture'
          ? unlessSame(spec, pixelsOf(text))
          : spec,
  },
  framesPerSecond: {
    schema: z.int().min(1).max(MAX_FRAMES_PER_SECOND),
    description: 'a video of another frame rate',
    breaks: 'order',
    conflicts: notThere,
    onFile: (spec, framesPerSecond) => ofVideo(spec, { framesPerSecond }),
  },
  sound: {
    schema: z.literal(false),
    description: 'a video without its sound',
    breaks: 'order',
    conflicts: notThere,
    onFile: (spec) => ofVideo(spec, { hasAudio: false }),
  },
  rotation: {
    schema: z.union([z.literal(90), z.literal(180), z.literal(270)]),
    description: 'a video that players turn by so many degrees, by a flag in the file',
    breaks: 'order',
    conflicts: notThere,
    fits: 'video',
    apply: (reply, degrees) => ({ ...reply, bytes: turned(reply.bytes, degrees) }),
  },
  format: {
    schema: z.enum(['jpeg', 'webp']),
    description: 'a picture of another format, with its Content-Type',
    breaks: 'order',
    conflicts: { ...notThere, contentType: 'the format says it' },
    fits: 'picture',
    // The bytes were converted when the file was read, which takes a library.
    apply: (reply, format) => {
      const etag = reply.headers.ETag?.replace(/"$/, `-${format}"`)
      return withHeaders(reply, {
        'Content-Type': `image/${format}`,
        ...(etag === undefined ? {} : { ETag: etag }),
      })
    },
  },
})

/**
 * Context of effects on the file of a task, among the tasks of its account.
 * @param id of the task
 */
export const fileContextOf = (
  { tasks }: { readonly tasks: { values(): Iterable<Task> } },
  id: string | undefined,
  now: Instant,
): FileContext => ({
  otherFile: ({ kind }, which) => {
    const found = [...tasks.values()].flatMap((task) => {
      const file = mediaOf(viewAt(task, now).phase).find((media) => media.kind === kind)
      return file === undefined ? [] : [{ id: task.id, file }]
    })
    const [first] = found
    if (which === 'first-task') return first?.id === id ? undefined : first?.file
    return found.findLast((other) => other.id !== id)?.file
  },
})
