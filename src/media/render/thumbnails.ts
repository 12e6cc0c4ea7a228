import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaInput } from '../../core/media/spec.js'
import { type RenderContext, runFfmpeg } from './ffmpeg.js'
import { createInputPictures, type InputPictures, inputMissing } from './input-pictures.js'

type ReadBlob = (hash: string) => Promise<Uint8Array | undefined>

/** The hashes of the videos among some inputs, each once. */
export const videosAmong = (inputs: readonly MediaInput[]): string[] => [
  ...new Set(inputs.flatMap(({ kind, blob }) => (kind === 'video' && blob !== null ? [blob] : []))),
]

/**
 * Thumbnails of videos: input pictures in which these videos show their first frame. A video that ffmpeg cannot decode
 * keeps its placeholder.
 *
 * @throws EmulatorError `input-missing` where the bytes of one are gone
 */
export const withThumbnails = async (
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
  const decoded = createInputPictures({ readBlob: async (hash) => thumbnails.get(hash), maxMemoryBytes: 0 })
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

const thumbnailOf = async (
  hash: string,
  readBlob: ReadBlob,
  context: RenderContext,
): Promise<Buffer | undefined> => {
  const { folder, signal } = context
  const bytes = await readBlob(hash)
  if (bytes === undefined) throw inputMissing(hash)
  const [source, target] = [join(folder, 'reference'), join(folder, 'thumbnail.bmp')]
  await writeFile(source, bytes, { signal })
  const options = ['-map', '[thumbnail]', '-frames:v', '1', '-f', 'image2', '-c:v', 'bmp', '-y']
  try {
    await runFfmpeg(
      { inputs: [{ source, options: [] }], filter: SCALED, outputs: [{ target, options }] },
      context,
    )
    return await readFile(target)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}
