import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaInput } from '../../core/media/spec.js'
import { runFfmpeg } from './ffmpeg.js'
import { createInputs, type Inputs, missing } from './input-pictures.js'
import type { RenderContext } from './render-context.js'

export type ReadBlob = (hash: string) => Promise<Uint8Array | undefined>

/** The hashes of the videos among some inputs, each once. */
export const videosAmong = (inputs: readonly MediaInput[]): string[] => [
  ...new Set(inputs.flatMap(({ kind, blob }) => (kind === 'video' && blob !== null ? [blob] : []))),
]

/**
 * Inputs in which these videos show their first picture; the others are as they are. A video that ffmpeg cannot decode
 * stays the sign that it is without. EmulatorError when the bytes of one are gone.
 */
export const withStills = async (
  inputs: Inputs,
  videos: readonly string[],
  readBlob: ReadBlob,
  context: RenderContext,
): Promise<Inputs> => {
  const stills = new Map<string, Buffer>()
  for (const hash of videos) {
    const still = await stillOf(hash, readBlob, context)
    if (still !== undefined) stills.set(hash, still)
  }
  const shown = createInputs({ readBlob: async (hash) => stills.get(hash), maxMemoryBytes: 0 })
  const isShown = ({ kind, blob }: MediaInput) => kind === 'video' && blob !== null && stills.has(blob)
  const asPicture = (input: MediaInput): MediaInput => ({ ...input, kind: 'image' })
  return {
    ...inputs,
    look: (input) => (isShown(input) ? shown.look(asPicture(input)) : inputs.look(input)),
    cut: (input, width, height) =>
      isShown(input) ? shown.cut(asPicture(input), width, height) : inputs.cut(input, width, height),
  }
}

// A tile is never wider, and a BMP is written and read in no time.
const STILL = String.raw`[0:v:0]scale=w=min(1280\,iw):h=-2[still]`

const stillOf = async (
  hash: string,
  readBlob: ReadBlob,
  context: RenderContext,
): Promise<Buffer | undefined> => {
  const { folder, signal } = context
  const bytes = await readBlob(hash)
  if (bytes === undefined) throw missing(hash)
  const [film, target] = [join(folder, 'reference'), join(folder, 'still.bmp')]
  await writeFile(film, bytes, { signal })
  const options = ['-map', '[still]', '-frames:v', '1', '-f', 'image2', '-c:v', 'bmp', '-y']
  const run = {
    inputs: [{ source: film, options: [] }],
    filter: STILL,
    outputs: [{ target, options }],
  }
  try {
    await runFfmpeg(run, context)
    return await readFile(target)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
