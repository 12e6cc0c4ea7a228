import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoizeLoad } from '../../concurrency.js'
import { EmulatorError, explainSystemError } from '../../core/errors.js'
import { type FileSpec, type MediaInput, type PictureSpec, shownVideosOf } from '../../core/media/spec.js'
import { clearTimeout, setTimeout } from '../../timers.js'
import { withTemporaryFolder } from '../files/temporary-folders.js'
import { drawTitleCard } from './card/title-card.js'
import { composePng } from './drawing.js'
import { findFfmpeg, type RenderContext, runFfmpeg } from './ffmpeg.js'
import {
  createInputPictures,
  type InputPictures,
  type InputPicturesOptions,
  inputMissing,
  type ReadBlob,
} from './input-pictures.js'
import { createRenderVideo, renderFrame } from './video.js'

export interface RenderOptions extends InputPicturesOptions {
  /** Default: the one installed with the package, else the first of the PATH. */
  readonly ffmpeg?: string | undefined
  /** Counted from the moment at which a render begins. */
  readonly renderTimeoutMs: number
  /** Folder for temporary files. */
  readonly folder: string
  /** Aborted when nothing new may begin. */
  readonly ended: AbortSignal
}

/** Renders the bytes of a spec. Rejects with the signal's reason, or an EmulatorError that names the cause. */
type RenderSpec = (spec: FileSpec, signal: AbortSignal) => Promise<Buffer>

export interface Render {
  readonly render: RenderSpec
  /** Memory of the pictures that are kept for further renders. */
  memoryBytes(): number
}

export const createRender = (options: RenderOptions): Render => {
  const { renderTimeoutMs, folder, readBlob } = options
  const pictures = createInputPictures(options)
  const renderVideo = createRenderVideo()
  const searchFfmpeg = () =>
    memoizeLoad(async () => {
      const found = await findFfmpeg(options.ffmpeg, options.ended)
      if (found === undefined) throw noFfmpeg()
      return found
    })
  let ffmpeg = searchFfmpeg()

  const withFfmpeg = async (signal: AbortSignal, work: (context: RenderContext) => Promise<Buffer>) => {
    const { path: ffmpegPath } = await ffmpeg()
    try {
      return await withTemporaryFolder(folder, (temporary) => work({ ffmpegPath, folder: temporary, signal }))
    } catch (error) {
      // The program may have been removed, or another one installed.
      ffmpeg = searchFfmpeg()
      throw error
    }
  }

  const dispatch: RenderSpec = (spec, signal) => {
    if (spec.kind === 'picture') return renderPicture(spec, pictures)
    const references = shownVideosOf(spec)
    // For a picture, ffmpeg is only needed where the card shows the thumbnail of another video.
    if (spec.kind !== 'video' && references.length === 0) return renderFrame(spec, pictures)
    return withFfmpeg(signal, async (context) => {
      const shown = await withThumbnails(pictures, references, readBlob, context)
      return spec.kind === 'video' ? renderVideo(spec, shown, context) : renderFrame(spec, shown)
    })
  }

  const render: RenderSpec = async (spec, signal) => {
    const timeout = AbortSignal.timeout(renderTimeoutMs)
    const either = AbortSignal.any([signal, timeout])
    try {
      const bytes = await endedBy(either, dispatch(spec, either))
      signal.throwIfAborted()
      return bytes
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw timeout.aborted ? tooSlow(spec, renderTimeoutMs) : renderFailed(spec, cause)
    }
  }
  return { render, memoryBytes: pictures.memoryBytes }
}

/** Renders a picture as a PNG of exactly the spec's width and height (§A, §A2). */
const renderPicture = async (spec: PictureSpec, pictures: InputPictures): Promise<Buffer> => {
  const { width, height } = spec
  const { svg, pictures: inputs } = await drawTitleCard({ ...spec, what: 'placeholder picture' }, pictures)
  return composePng({ width, height, layers: [svg, ...inputs] })
}

const noFfmpeg = () =>
  new EmulatorError('Videos are made with ffmpeg, and there is none here.', {
    code: 'ffmpeg-missing',
    hint: 'Install the optional dependency @ffmpeg-installer/ffmpeg, or put an ffmpeg with libx264 and aac on the PATH, or name one with the setting ffmpeg (BACKLOT_FFMPEG).',
  })

// Grace period for work that cannot be ended: what sharp has begun, and a child of ffmpeg that holds its pipes open.
const GRACE_MS = 1_000

/** The result of the work, or the signal's reason when the work has not ended some time after the signal was aborted. */
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

const tooSlow = (spec: FileSpec, timeoutMs: number) =>
  new EmulatorError(`Rendering a ${spec.kind} was given up after ${timeoutMs} ms.`, {
    code: 'render-timeout',
    hint: 'Ask again, or allow more time (setting renderTimeoutMs).',
  })

const renderFailed = (spec: FileSpec, cause: unknown): unknown => {
  const known = explainSystemError(`A ${spec.kind} could not be rendered`, cause)
  if (known instanceof EmulatorError) return known
  const message = cause instanceof Error ? cause.message : String(cause)
  return new EmulatorError(`A ${spec.kind} could not be rendered: ${message}`, {
    code: 'render-failed',
    hint: 'Run `backlot doctor`, which says what can be rendered here.',
    cause,
  })
}

/**
 * Thumbnails of videos: input pictures in which these videos show their first frame. A video that ffmpeg cannot decode
 * keeps its placeholder.
 * @throws EmulatorError `input-missing` where the bytes of one are gone
 */
const withThumbnails = async (
  pictures: InputPictures,
  videos: readonly string[],
  readBlob: ReadBlob,
  context: RenderContext,
): Promise<InputPictures> => {
  const thumbnails = new Map<string, Buffer>()
  for (const hash of videos) {
    const thumbnail = await thumbnailOf(hash, readBlob, context)
    if (thumbnail !== undefined) thumbnails.set(hash, thumbnail)
  }
  const decoded = createInputPictures({ readBlob: async (hash) => thumbnails.get(hash), mediaMemoryBytes: 0 })
  const isDecoded = ({ kind, blob }: MediaInput) => kind === 'video' && blob !== null && thumbnails.has(blob)
  const asImage = (input: MediaInput): MediaInput => ({ ...input, kind: 'image' })
  return {
    ...pictures,
    preview: (input) => (isDecoded(input) ? decoded.preview(asImage(input)) : pictures.preview(input)),
    cover: (input, width, height) =>
      isDecoded(input) ? decoded.cover(asImage(input), width, height) : pictures.cover(input, width, height),
  }
}

// A tile is never wider, and a BMP is written and read in no time.
const SCALED = String.raw`[0:v:0]scale=w=min(1280\,iw):h=-2[thumbnail]`

const thumbnailOf = async (hash: string, readBlob: ReadBlob, context: RenderContext) => {
  const { folder, signal } = context
  const bytes = await readBlob(hash)
  if (bytes === undefined) throw inputMissing(hash)
  const source = join(folder, 'reference')
  const target = join(folder, 'thumbnail.bmp')
  await writeFile(source, bytes, { signal })
  const options = ['-map', '[thumbnail]', '-frames:v', '1', '-f', 'image2', '-c:v', 'bmp', '-y']
  const inputs = [{ path: source, options: [] }]
  const outputs = [{ path: target, options }]
  try {
    await runFfmpeg({ inputs, filter: SCALED, outputs }, context)
    return await readFile(target)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
