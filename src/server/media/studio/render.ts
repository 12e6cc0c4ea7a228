import { EmulatorError } from '../../../core/emulator-error.js'
import type { MediaSpec, VideoSpec } from '../../../core/media/spec.js'
import { withScratchFolder } from './cache/scratch.js'
import { type FoundFfmpeg, findFfmpeg } from './ffmpeg.js'
import type { Inputs } from './inputs/inputs.js'
import { loadOneByOne } from './load.js'
import { drawPicture } from './picture.js'
import { drawLastFrame, drawVideo } from './video/video.js'

/** Part of the name of every drawn file: to be raised whenever the same spec begins to look different. */
export const RENDERER_VERSION = '1'

/** Draws the bytes of a spec. Rejects with the signal's reason, or an EmulatorError that names the cause. */
export type Render = (spec: MediaSpec, signal: AbortSignal) => Promise<Buffer>

export interface RenderOptions {
  readonly inputs: Inputs
  /** Takes files that are deleted again. */
  readonly folder: string
  readonly ffmpegPath: string | undefined
  readonly timeoutMs: number
  /** Aborted when nothing is to be begun any more. */
  readonly ended: AbortSignal
}

export const createRender = ({ inputs, folder, ffmpegPath, timeoutMs, ended }: RenderOptions): Render => {
  const ffmpeg = remembered(() => findFfmpeg(ffmpegPath, ended))
  const video = async (spec: VideoSpec, signal: AbortSignal): Promise<Buffer> => {
    const found = await ffmpeg()
    if (!found) throw noFfmpeg()
    return withScratchFolder(folder, (scratch) =>
      drawVideo(spec, inputs, { ffmpegPath: found.path, folder: scratch, signal }),
    )
  }
  const draw: Render = async (spec, signal) => {
    await loadOneByOne()
    if (spec.kind === 'picture') return drawPicture(spec, inputs)
    return spec.kind === 'video' ? video(spec, signal) : drawLastFrame(spec.of, inputs)
  }
  return async (spec, signal) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const either = AbortSignal.any([signal, limit])
    try {
      const bytes = await draw(spec, either)
      signal.throwIfAborted()
      return bytes
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw limit.aborted ? tooSlow(spec, timeoutMs) : explained(spec, cause)
    }
  }
}

/** The answer is kept once there is one; until then each call looks again. */
const remembered = (find: () => Promise<FoundFfmpeg | undefined>) => {
  let known: FoundFfmpeg | undefined
  return async () => {
    known ??= await find()
    return known
  }
}

const noFfmpeg = () =>
  new EmulatorError('Videos are made with ffmpeg, and there is none here.', {
    code: 'ffmpeg-missing',
    hint: 'Install the optional dependency @ffmpeg-installer/ffmpeg, or put an ffmpeg with libx264 and aac on the PATH, or name one with the setting ffmpeg (BACKLOT_FFMPEG).',
  })

const tooSlow = (spec: MediaSpec, timeoutMs: number) =>
  new EmulatorError(`Drawing a ${spec.kind} was given up after ${timeoutMs} ms.`, {
    code: 'render-timeout',
    hint: 'Ask again, or allow more time (setting renderTimeoutMs).',
  })

const explained = (spec: MediaSpec, cause: unknown): EmulatorError =>
  cause instanceof EmulatorError
    ? cause
    : new EmulatorError(
        `A ${spec.kind} could not be drawn: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          code: 'render-failed',
          hint: 'Run `backlot doctor`, which says what can be drawn here.',
          cause,
        },
      )
