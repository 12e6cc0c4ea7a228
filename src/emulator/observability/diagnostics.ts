import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmulatorError, systemReason } from '../core/errors.js'
import type { Probe } from '../core/media/input.js'
import type { MediaSpec, PictureSpec, TitleCard, VideoSpec } from '../core/media/spec.js'
import type { Settings } from '../core/settings.js'
import { mediaCacheFolders } from '../media/files/media-cache.js'
import {
  defaultMediaFolder,
  removeStaleTemporaries,
  temporaryName,
} from '../media/files/temporary-folders.js'
import { probe } from '../media/probe.js'
import { fontPath, loadFont } from '../media/render/card/font.js'
import { findFfmpeg } from '../media/render/ffmpeg.js'
import { Renderer } from '../media/render/renderer.js'
import { loadSharp } from '../media/render/sharp.js'

const card: TitleCard = {
  prompt: 'backlot doctor 生成',
  model: 'doctor',
  size: 'tiny',
  seed: 1,
  id: 'doctor',
}

const tiny = { width: 256, height: 144, seed: 1, card, hasWatermark: true }

// Shows that text, pixels and the encoder work.
const tinyPicture: PictureSpec = { kind: 'picture', ...tiny, inputs: [] }

// Shows that both encoders work: one second with sound.
const tinyVideo: VideoSpec = {
  kind: 'video',
  ...tiny,
  seconds: 1,
  framesPerSecond: 24,
  hasAudio: true,
  references: [],
}

// Where the emulator would keep it, in a folder that is deleted again, as is what one that was killed has left. The media cache is
// not used: a sample that an earlier run has rendered shows nothing about this one. The facts are read off the bytes.
const renderSample = async (spec: MediaSpec, settings: Settings): Promise<string> => {
  const mediaFolder = settings.mediaFolder ?? defaultMediaFolder()
  await removeStaleTemporaries(mediaFolder)
  const folder = join(mediaFolder, temporaryName())
  const renderer = new Renderer({
    ...settings,
    folder,
    mediaCache: 'none',
    rendersAtOnce: 1,
    readBlob: async () => undefined,
  })
  try {
    return shown(await probe(await readFile((await renderer.open(spec)).path)))
  } finally {
    await renderer.stop()
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}

const shown = (facts: Probe): string => {
  if (facts.kind === 'unreadable')
    throw new EmulatorError(`The rendered sample cannot be read: ${facts.detail}.`, {
      code: 'unreadable-render',
    })
  const bytes = `${facts.bytes} bytes`
  if (facts.kind === 'image') return `${facts.format}, ${facts.width}x${facts.height}, ${bytes}`
  if (facts.kind === 'audio') return `${facts.format}, ${facts.seconds} s, ${bytes}`
  const codecs = [facts.videoCodec, facts.audioCodec ?? 'no sound'].join(' and ')
  return `${facts.format}, ${codecs}, ${facts.width}x${facts.height}, ${facts.seconds} s, ${bytes}`
}

/** Result of one diagnostic check. */
export interface DiagnosticItem {
  readonly what: string
  readonly isFine: boolean
  /** Versions and paths that were found, or why it does not work. */
  readonly detail: string
  /** What to do. Undefined where there is nothing to do, or nothing is known. */
  readonly hint?: string
}

/** Diagnostics: first what is installed, then a picture and a video made with it. */
export async function* diagnose(settings: Settings): AsyncGenerator<DiagnosticItem> {
  yield { what: 'node', isFine: true, detail: `${process.version} ${process.platform} ${process.arch}` }
  yield await tried('sharp', sharpFound, SHARP_HINT)
  yield await tried('font', () => loadFont().then(fontPath))
  yield await tried('ffmpeg', () => ffmpegFound(settings.ffmpeg))
  yield await tried(
    'cache',
    () => cacheFound(settings),
    'Name another folder, or none: --set mediaCache=FOLDER.',
  )
  yield await tried('picture', () => renderSample(tinyPicture, settings))
  yield await tried('video', () => renderSample(tinyVideo, settings))
}

const tried = async (what: string, look: () => Promise<string>, toDo?: string): Promise<DiagnosticItem> => {
  try {
    return { what, isFine: true, detail: await look() }
  } catch (error) {
    const hint = error instanceof EmulatorError ? error.hint : toDo
    const [detail = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n')
    return { what, isFine: false, detail, hint }
  }
}

const SHARP_HINT = 'Install the package again, on this platform and with its optional dependencies.'

const sharpFound = async (): Promise<string> => {
  const { sharp, vips } = loadSharp().versions
  return `${sharp}, libvips ${vips}`
}

/** Folder in which rendered media are kept between runs, and what it holds. Nothing is made, so that it may not be there. */
const cacheFound = async (settings: Settings): Promise<string> => {
  const [folder] = await mediaCacheFolders(settings)
  if (folder === undefined) return 'none, by the setting mediaCache'
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new Error(`Rendered media cannot be kept in ${folder}: ${systemReason(error)}`)
  })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return `${folder}, ${names.length === 0 ? 'empty' : `${(bytes / 2 ** 20).toFixed(1)} MiB of rendered media`}`
}

const sources = {
  setting: 'named by the setting ffmpeg',
  package: 'installed with the package',
  path: 'found on the PATH',
} as const

const ffmpegFound = async (setting: string | undefined): Promise<string> => {
  const ffmpeg = await findFfmpeg(setting)
  if (ffmpeg !== undefined) return `${ffmpeg.version}, ${sources[ffmpeg.source]}: ${ffmpeg.path}`
  throw new EmulatorError('There is no ffmpeg.', {
    code: 'ffmpeg-missing',
    hint: 'Install the package @ffmpeg-installer/ffmpeg, put an ffmpeg on the PATH, or name one: --set ffmpeg=PATH.',
  })
}
