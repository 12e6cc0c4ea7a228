import { join } from 'node:path'
import { runFfmpeg } from '../ffmpeg/run.js'
import { TONE_SECONDS, toneSource } from './tone.js'
import { type RenderContext, written } from './workbench.js'

/** The quiet chord of a seed as AAC in ADTS, some packets of it. */
export type RecordTone = (seed: number, context: Omit<RenderContext, 'recordTone'>) => Promise<Buffer>

/** There are few chords, and a recording is small: each is made once with each ffmpeg and kept. */
export const createRecordTone = (): RecordTone => {
  const recordings = new Map<string, Buffer>()
  return async (seed, context) => {
    const { ffmpegPath, folder } = context
    const source = toneSource(seed)
    const name = `${ffmpegPath} ${source}`
    const known = recordings.get(name)
    if (known !== undefined) return known
    const target = join(folder, 'sound.aac')
    const run = {
      inputs: [{ source, options: ['-f', 'lavfi'] }],
      outputs: [{ target, options: ['-t', TONE_SECONDS.toFixed(5), ...AAC_OPTIONS] }],
    }
    await runFfmpeg(run, context)
    const recording = await written(target)
    recordings.set(name, recording)
    return recording
  }
}

const AAC_OPTIONS = ['-c:a', 'aac', '-b:a', '48k', '-ac', '1', '-flags:a', '+bitexact', '-f', 'adts']
