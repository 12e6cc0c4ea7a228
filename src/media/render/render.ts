import { EmulatorError } from '../../core/errors.js'
import type { MediaSpec, VideoSpec } from '../../core/media/spec.js'
import { explainSystemError } from '../../core/system-error.js'
import type { Inputs } from './input-pictures.js'
import { loadOneByOne } from './packages.js'
import { drawPicture } from './picture.js'
import { createRenderContexts, type RenderContext, type WorkbenchesOptions } from './render-context.js'
import { type ReadBlob, videosAmong, withStills } from './thumbnails.js'
import { drawLastFrame, drawVideo } from './video.js'

/** Draws the bytes of a spec. Rejects with the signal's reason, or an EmulatorError that names the cause. */
export type Render = (spec: MediaSpec, signal: AbortSignal) => Promise<Buffer>

export interface RenderOptions extends WorkbenchesOptions {
  readonly inputs: Inputs
  readonly readBlob: ReadBlob
  readonly timeoutMs: number
}

export const createRender = (options: RenderOptions): Render => {
  const { inputs, timeoutMs } = options
  const contexts = createRenderContexts(options)
  const inputsOf = async (spec: VideoSpec, context: RenderContext): Promise<Inputs> => {
    const videos = videosAmong(spec.references)
    return videos.length === 0 ? inputs : withStills(inputs, videos, options.readBlob, context)
  }
  const video = (spec: VideoSpec, signal: AbortSignal): Promise<Buffer> =>
    contexts.use(async (bench) => drawVideo(spec, await inputsOf(spec, bench), bench), signal)
  // What a video ends with is what was drawn for it, so that it takes ffmpeg where the video shows another one.
  const lastFrame = (spec: VideoSpec, signal: AbortSignal): Promise<Buffer> =>
    videosAmong(spec.references).length === 0
      ? drawLastFrame(spec, inputs)
      : contexts.use(async (bench) => drawLastFrame(spec, await inputsOf(spec, bench)), signal)
  const draw: Render = async (spec, signal) => {
    // Before anything is loaded: the larger a process is, the longer it takes to start another one.
    if (spec.kind === 'video') contexts.prepare()
    await loadOneByOne(spec.kind)
    if (spec.kind === 'picture') return drawPicture(spec, inputs)
    return spec.kind === 'video' ? video(spec, signal) : lastFrame(spec.of, signal)
  }
  return async (spec, signal) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, limit])
    try {
      const bytes = await endedBy(either, draw(spec, either))
      signal.throwIfAborted()
      return bytes
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw limit.aborted ? tooSlow(spec, timeoutMs) : explained(spec, cause)
    }
  }
}

// A process that is killed is gone at once, as a rule. What sharp has begun, and what a child has left behind that holds
// its pipes open, cannot be ended: nobody waits for it longer than this.
const GRACE_MS = 1_000

/** The work's outcome, or the signal's reason when the work has not ended some time after it was aborted. */
const endedBy = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      timer = setTimeout(() => reject(signal.reason), GRACE_MS)
    }
    signal.addEventListener('abort', wait, { once: true })
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer)
      signal.removeEventListener('abort', wait)
    })
  })

const tooSlow = (spec: MediaSpec, timeoutMs: number) =>
  new EmulatorError(`Drawing a ${spec.kind} was given up after ${timeoutMs} ms.`, {
    code: 'render-timeout',
    hint: 'Ask again, or allow more time (setting renderTimeoutMs).',
  })

const explained = (spec: MediaSpec, cause: unknown): unknown => {
  const known = explainSystemError(`A ${spec.kind} could not be drawn`, cause)
  return known instanceof EmulatorError
    ? known
    : new EmulatorError(
        `A ${spec.kind} could not be drawn: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          code: 'render-failed',
          hint: 'Run `backlot doctor`, which says what can be drawn here.',
          cause,
        },
      )
}
