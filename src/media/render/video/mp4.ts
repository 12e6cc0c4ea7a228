import { ascii, box, u32 } from './boxes.js'
import { movie, type Track } from './movie.js'

/**
 * An MP4 of exactly `seconds`, and so every track of it: the last sample takes what is left. The index comes before the
 * samples, and the samples of all tracks lie together second by second, so that it plays while it is loaded.
 */
export const mp4Of = (tracks: readonly Track[], seconds: number): Buffer => {
  const head = box('ftyp', ascii('isom'), u32(0x200), ascii('isomiso2avc1mp41'))
  const chunks = tracks.map((track) => chunksOf(track, seconds))
  const index = (offsets: readonly (readonly number[])[]) => movie(tracks, chunks, offsets, seconds)
  const start = head.length + index(chunks.map((each) => each.map(() => 0))).length + 8
  const { offsets, samples, length } = interleaved(tracks, chunks, seconds, start)
  return Buffer.concat([head, index(offsets), u32(length + 8), ascii('mdat'), ...samples])
}

/** How many samples begin within each second. */
const chunksOf = ({ timescale, sampleTicks, samples }: Track, seconds: number): number[] => {
  const before = (second: number) => Math.min(samples.length, Math.ceil((second * timescale) / sampleTicks))
  return Array.from({ length: seconds }, (_, second) => before(second + 1) - before(second))
}

const interleaved = (
  tracks: readonly Track[],
  chunks: readonly (readonly number[])[],
  seconds: number,
  start: number,
): { offsets: number[][]; samples: Buffer[]; length: number } => {
  const offsets: number[][] = tracks.map(() => [])
  const samples: Buffer[] = []
  const taken = tracks.map(() => 0)
  let at = start
  for (let second = 0; second < seconds; second++) {
    tracks.forEach((track, index) => {
      const first = taken[index] ?? 0
      const chunk = track.samples.slice(first, first + (chunks[index]?.[second] ?? 0))
      taken[index] = first + chunk.length
      offsets[index]?.push(at)
      samples.push(...chunk)
      at += chunk.reduce((sum, sample) => sum + sample.length, 0)
    })
  }
  return { offsets, samples, length: at - start }
}
