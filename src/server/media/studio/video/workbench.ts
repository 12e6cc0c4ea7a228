import { readFile } from 'node:fs/promises'
import { ffmpegFailed } from '../ffmpeg/failed.js'
import type { RunsFfmpeg } from '../ffmpeg/run.js'
import type { RecordTone } from './record-tone.js'

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
