import { EmulatorError } from '../../core/emulator-error.js'
import type { Settings } from '../../core/settings.js'
import { findFfmpeg } from '../media/studio/ffmpeg/find.js'
import { fontPath, loadFont } from '../media/studio/lettering/typeface.js'
import { loadSharp } from '../media/studio/load.js'
import { renderSample } from './drawn.js'
import { tinyPicture, tinyVideo } from './samples.js'

/** What became of trying one thing. */
export interface DiagnosticItem {
  readonly what: string
  readonly isFine: boolean
  /** What was found: versions and places; or why it does not work. */
  readonly detail: string
  /** What to do; left out where nothing is to be done, or nothing is known. */
  readonly hint?: string
}

/** Tries one thing after the other: first what is installed, then what is made with it. */
export async function* diagnose(settings: Settings): AsyncGenerator<DiagnosticItem> {
  yield { what: 'node', isFine: true, detail: `${process.version} ${process.platform} ${process.arch}` }
  yield await tried(
    'sharp',
    async () => {
      const { sharp, vips } = loadSharp().versions
      return `${sharp}, libvips ${vips}`
    },
    'Install the package again, on this platform and with its optional dependencies.',
  )
  yield await tried('font', async () => {
    await loadFont()
    return fontPath()
  })
  yield await tried('ffmpeg', () => ffmpegFound(settings.ffmpeg))
  yield await tried('picture', () => renderSample(tinyPicture, settings))
  yield await tried('video', () => renderSample(tinyVideo, settings))
}

const tried = async (what: string, look: () => Promise<string>, toDo?: string): Promise<DiagnosticItem> => {
  try {
    return { what, isFine: true, detail: await look() }
  } catch (error) {
    const hint = error instanceof EmulatorError ? error.hint : toDo
    return { what, isFine: false, detail: messageOf(error), ...(hint === undefined ? {} : { hint }) }
  }
}

const messageOf = (error: unknown): string => {
  const [first = ''] = (error instanceof Error ? error.message : String(error)).trim().split('\n')
  return first
}

const sources = {
  setting: 'named by the setting ffmpeg',
  package: 'installed with the package',
  path: 'found on the PATH',
} as const

const ffmpegFound = async (setting: string | undefined): Promise<string> => {
  const found = await findFfmpeg(setting)
  if (found !== undefined) return `${found.version}, ${sources[found.source]}: ${found.path}`
  throw new EmulatorError('There is no ffmpeg.', {
    code: 'ffmpeg-missing',
    hint: 'Install the package @ffmpeg-installer/ffmpeg, put an ffmpeg on the PATH, or name one: --set ffmpeg=PATH.',
  })
}
