import type { Probe, VideoFormat } from '../input.js'
import { boxesIn, boxesOfFile, childrenOf, DamagedFile, Span, unlessDamaged } from './span.js'
import {
  audioCodecOf,
  type Boxes,
  concatSamples,
  handlerOf,
  readTrack,
  type Samples,
  samplesInFragments,
  type Track,
} from './track.js'

/**
 * Facts of an MP4 or MOV: of its first video track, and the codec of its first sound track.
 * Tables are summed, never expanded, and every count is checked against the box it stands in.
 */
export const readMovie = (bytes: Uint8Array, format: VideoFormat): Probe =>
  unlessDamaged(() => {
    const file = new Span(bytes, format.toUpperCase())
    const { moov, fragments, hasData } = partsOf(file)
    const tracks = tracksOf(moov)
    const video = tracks.find((track) => handlerOf(track) === 'vide')
    const sound = tracks.find((track) => handlerOf(track) === 'soun')
    if (!video) throw new DamagedFile(withoutVideo(file.name, sound !== undefined), 'unknown')
    if (!hasData) throw new DamagedFile(`the ${file.name} has no pictures in it (no "mdat" box)`)
    const track = readTrack(moov, video, file)
    const facts = factsOf(track, samplesInFragments(moov, fragments, track.id))
    const audioCodec = sound && audioCodecOf(sound)
    const codecs = audioCodec === undefined ? {} : { audioCodec }
    return { kind: 'video', format, bytes: bytes.byteLength, ...facts, ...codecs }
  })

// People send it as sound; that it is a file of its own kind is what they do not know.
const withoutVideo = (name: string, hasSound: boolean): string =>
  hasSound
    ? `the file is ${name} audio, such as M4A: it has sound and no video track`
    : `the ${name} has no video track`

const partsOf = (file: Span) => {
  let moov: Span | undefined
  let hasData = false
  // The moof boxes, in their order. A file in one piece has none.
  const fragments: Span[] = []
  for (const { type, content } of boxesOfFile(file)) {
    if (type === 'moov') moov ??= content
    if (type === 'moof') fragments.push(content)
    if (type === 'mdat' && content.length > 0) hasData = true
  }
  if (!moov)
    throw new DamagedFile(`the ${file.name} has no list of its tracks (no "moov" box): it may be cut short`)
  return { moov, fragments, hasData }
}

const tracksOf = (moov: Span): readonly Boxes[] =>
  [...boxesIn(moov)].filter(({ type }) => type === 'trak').map(({ content }) => childrenOf(content))

const factsOf = (track: Track, added: Samples) => {
  const all = concatSamples([track.samples, added])
  const frames = all.count
  const sampled = (added.count > 0 ? withoutStretching(all) : all.ticks) / track.ticksPerSecond
  // The edit list of a file in fragments tells of its beginning at most.
  const seconds = added.count > 0 ? sampled : (track.editedSeconds ?? sampled)
  if (frames === 0 || !(seconds > 0)) throw new DamagedFile('the video track has no frames')
  const note = added.count > 0 ? undefined : contradictionOf(track, seconds, sampled)
  return {
    width: track.width,
    height: track.height,
    seconds,
    framesPerSecond: roundedRate(frames / sampled),
    videoCodec: track.codec,
    ...(note === undefined ? {} : { note }),
  }
}

// Programs round to milliseconds, and count a delay or the last picture or not.
const SECONDS_APART = 0.5

/** Note on a header that says another length than the samples and the edit list. */
const contradictionOf = (
  { declaredSeconds }: Track,
  seconds: number,
  sampled: number,
): string | undefined => {
  const isFar = (declared: number) =>
    [seconds, sampled].every((read) => Math.abs(declared - read) > SECONDS_APART)
  const declared = declaredSeconds.find(isFar)
  if (declared === undefined) return undefined
  const [said, found] = [declared, seconds].map((length) => Math.round(length * 1000) / 1000)
  return `a header of the file says that it is ${said} s long, and its pictures last ${found} s`
}

/**
 * Ticks of samples of which the first and the last count at most as long as the others on average: programs that write
 * fragments stretch them over the silence that the sound begins with, and to its end. That is a few hundredths of a
 * second in which no other picture comes.
 */
const withoutStretching = ({ count, ticks, firstTicks, lastTicks }: Samples): number => {
  if (count < 3) return ticks
  const others = ticks - firstTicks - lastTicks
  const usual = others / (count - 2)
  return others + Math.min(firstTicks, usual) + Math.min(lastTicks, usual)
}

const USUAL_RATES = [24000 / 1001, 24, 25, 30000 / 1001, 30, 50, 60000 / 1001, 60]

/**
 * An average of frames a second, to a thousandth; within 0.05 % of a usual rate it is that rate.
 * Files that count in milliseconds, and telephones, miss 60 by a few hundredths; no two usual rates are that close.
 */
export const roundedRate = (average: number): number => {
  const usual = USUAL_RATES.find((rate) => Math.abs(average / rate - 1) < 0.0005)
  return Math.round((usual ?? average) * 1000) / 1000
}
