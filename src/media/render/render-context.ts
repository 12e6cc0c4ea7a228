import { readFile } from 'node:fs/promises'
import { EmulatorError } from '../../core/errors.js'
import { withScratchFolder } from '../files/temporary-folders.js'
import { ffmpegFailed, type RunsFfmpeg } from './ffmpeg.js'
import { type FoundFfmpeg, findFfmpeg } from './find-ffmpeg.js'
import { canLaunch, createLauncher } from './launcher.js'
import { createRecordTone, type RecordTone } from './tone.js'

/** Where videos are made: one workbench for each piece of work. */
interface RenderContexts {
  /** Begins to look for ffmpeg, so that this goes on while the caller does something else. */
  prepare(): void
  /** @throws EmulatorError `ffmpeg-missing`, or `ffmpeg-unusable` where the one of the setting does not run */
  use(work: (context: RenderContext) => Promise<Buffer>, signal: AbortSignal): Promise<Buffer>
}

export interface WorkbenchesOptions {
  /** Takes files that are deleted again. */
  readonly folder: string
  readonly ffmpegPath: string | undefined
  /** Aborted when nothing is to be begun any more. */
  readonly ended: AbortSignal
}

export const createRenderContexts = ({ folder, ffmpegPath, ended }: WorkbenchesOptions): RenderContexts => {
  const ffmpeg = remembered(() => findFfmpeg(ffmpegPath, ended))
  const recordTone = createRecordTone()
  const launcher = canLaunch() ? createLauncher(ended) : undefined
  return {
    prepare: () => void ffmpeg.find().catch(() => {}),
    use: async (work, signal) => {
      const found = await ffmpeg.find()
      if (!found) throw noFfmpeg()
      try {
        return await withScratchFolder(folder, (scratch) =>
          work({ ffmpegPath: found.path, folder: scratch, signal, recordTone, launcher }),
        )
      } catch (error) {
        // Perhaps it has been removed, or another one installed.
        ffmpeg.forget()
        throw error
      }
    },
  }
}

/** One search for all who ask meanwhile. What it found is kept until it is forgotten; otherwise the next call looks again. */
const remembered = (search: () => Promise<FoundFfmpeg | undefined>) => {
  let latest: Promise<FoundFfmpeg | undefined> | undefined
  const forget = (): void => {
    latest = undefined
  }
  const find = (): Promise<FoundFfmpeg | undefined> => {
    if (latest !== undefined) return latest
    const begun = search()
    latest = begun
    const forgetThis = (): void => {
      if (latest === begun) forget()
    }
    begun.then((found) => found ?? forgetThis(), forgetThis)
    return begun
  }
  return { find, forget }
}

const noFfmpeg = () =>
  new EmulatorError('Videos are made with ffmpeg, and there is none here.', {
    code: 'ffmpeg-missing',
    hint: 'Install the optional dependency @ffmpeg-installer/ffmpeg, or put an ffmpeg with libx264 and aac on the PATH, or name one with the setting ffmpeg (BACKLOT_FFMPEG).',
  })

/** Where the encoding is done: `folder` takes files that nobody needs afterwards. */
export interface RenderContext extends RunsFfmpeg {
  readonly folder: string
  readonly recordTone: RecordTone
}

/** What ffmpeg wrote into a file. */
export const written = (file: string): Promise<Buffer> =>
  readFile(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    throw ffmpegFailed('ffmpeg ended as if all were well, and has written nothing.', cause)
  })
