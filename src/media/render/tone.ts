import { join } from 'node:path'
import { ffmpegFailed, runFfmpeg } from './ffmpeg.js'
import { randomOf } from './random.js'
import { type RenderContext, written } from './render-context.js'

export const SAMPLES_PER_SECOND = 48_000
export const SAMPLES_PER_PACKET = 1024
export const CHANNELS = 1

/** The parts of the recorded tone, in packets. The middle can be repeated, since the tone repeats with every packet. */
const RISE = 6
const MIDDLE = 4
const FALL = 6
// The encoder's first packet only fills its window.
const SKIPPED = 1

/** Seconds of tone that have to be recorded. */
const TONE_SECONDS = ((SKIPPED + RISE + MIDDLE + FALL) * SAMPLES_PER_PACKET) / SAMPLES_PER_SECOND

// Chords in whole numbers of waves per packet: 4 waves are 187.5 Hz.
const CHORDS: readonly [readonly number[], ...(readonly number[])[]] = [
  [4, 5, 6],
  [4, 6, 9],
  [5, 6, 8],
  [4, 5, 8],
  [6, 8, 9],
  [5, 8, 10],
  [4, 6, 7],
  [3, 5, 8],
]
const LOUDNESS = 0.012

/** A quiet chord of the seed, as ffmpeg's `aevalsrc` takes it: it swells, stays and fades. */
export const toneSource = (seed: number): string => {
  const chord = randomOf(seed, 'tone').pick(CHORDS)
  const waves = chord.map((waves) => `sin(2*PI*${(waves * SAMPLES_PER_SECOND) / SAMPLES_PER_PACKET}*t)`)
  const swell = (RISE - 1) * (SAMPLES_PER_PACKET / SAMPLES_PER_SECOND)
  const envelope = `min(1,min(t,${TONE_SECONDS.toFixed(5)}-t)/${swell.toFixed(5)})`
  return `aevalsrc=exprs='${LOUDNESS}*${envelope}*(${waves.join('+')})':s=${SAMPLES_PER_SECOND}:d=${TONE_SECONDS.toFixed(5)}`
}

interface Tone {
  readonly packets: readonly Buffer[]
  /** AudioSpecificConfig: how the packets are to be decoded. */
  readonly config: Buffer
}

/** The recorded tone, an ADTS stream of AAC, stretched to cover so many seconds. */
export const stretched = (adts: Buffer, seconds: number): Tone => {
  const recorded = packetsOf(adts).slice(SKIPPED)
  const count = Math.ceil((seconds * SAMPLES_PER_SECOND) / SAMPLES_PER_PACKET)
  const middle = Array.from({ length: count - RISE - FALL }, (_, index) => recorded[RISE + (index % MIDDLE)])
  const packets = [
    ...recorded.slice(0, RISE),
    ...middle,
    ...recorded.slice(RISE + MIDDLE, RISE + MIDDLE + FALL),
  ]
  return { packets: packets.filter((packet) => packet !== undefined), config: configOf(adts) }
}

const HEADER = 7

const packetsOf = (adts: Buffer): Buffer[] => {
  const packets: Buffer[] = []
  for (let at = 0; at + HEADER <= adts.length; ) {
    const length = (adts.readUInt32BE(at + 3) >>> 13) & 0x1fff
    if (adts.readUInt16BE(at) >> 4 !== 0xfff || length < HEADER) throw unreadable()
    packets.push(adts.subarray(at + HEADER, at + length))
    at += length
  }
  if (packets.length < SKIPPED + RISE + MIDDLE + FALL) throw unreadable()
  return packets
}

const unreadable = () => ffmpegFailed('ffmpeg wrote sound that is not AAC in ADTS.')

// Two bits of profile, four of rate and three of channels, moved from where ADTS has them.
const configOf = (adts: Buffer): Buffer => {
  const bits = adts.readUInt32BE(0)
  const [profile, rate, channels] = [(bits >> 14) & 3, (bits >> 10) & 15, (bits >> 6) & 7]
  const config = Buffer.alloc(2)
  config.writeUInt16BE(((profile + 1) << 11) | (rate << 7) | (channels << 3))
  return config
}

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
