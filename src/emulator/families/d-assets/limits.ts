import type { AssetFailure } from '../../core/asset.js'
import type { MediaFacts, Probe } from '../../core/media/input.js'

/** A limit that is found out while a file is processed: the upload is accepted, and its job fails (gap D7). */
interface MediaLimit {
  readonly id: string
  /** The word in `code` of a failed job. */
  readonly code: string
  readonly says: string
  readonly place: string
  /** The field, what may stand there and what was found, or undefined when the limit is kept. */
  readonly check: (facts: MediaFacts) => Excess | undefined
}

interface Excess {
  readonly field: string
  readonly allowed: string
  readonly found: string
}

const SIDES = { min: 300, max: 6_000 }
const SECONDS = { min: 2, max: 15 }
// 23.976 frames a second counts as 24 (gap Z22).
const FRAMES_PER_SECOND = { min: 23.976, max: 60 }

const isWithin = (value: number, { min, max }: { readonly min: number; readonly max: number }) =>
  value >= min && value <= max

const sides: MediaLimit = {
  id: 'sides',
  code: 'InvalidSize',
  says: 'Both sides of an image or a video have 300 to 6000 pixels.',
  place: 'docs/gaps.md#d7, docs/gaps.md#z22',
  check: (facts) => {
    if (facts.kind === 'audio') return undefined
    const field = (['width', 'height'] as const).find((side) => !isWithin(facts[side], SIDES))
    return field && { field, allowed: '300 to 6000 pixels', found: `${facts[field]}` }
  },
}

const ratio: MediaLimit = {
  id: 'ratio',
  code: 'InvalidRatio',
  says: 'The width of an image or a video is 0.4 to 2.5 times its height.',
  place: 'docs/gaps.md#d7, docs/gaps.md#z22',
  check: (facts) => {
    if (facts.kind === 'audio') return undefined
    const { width, height } = facts
    // In whole numbers, so that 1000x400 is exactly at the limit.
    if (width * 10 >= height * 4 && width * 10 <= height * 25) return undefined
    const found = `${(width / height).toFixed(3)} (${width}x${height})`
    return { field: 'width/height', allowed: '0.4 to 2.5', found }
  },
}

const seconds: MediaLimit = {
  id: 'seconds',
  code: 'InvalidDuration',
  says: 'A video or a sound lasts 2 to 15 seconds.',
  place: 'docs/gaps.md#d7',
  check: (facts) =>
    facts.kind === 'image' || isWithin(facts.seconds, SECONDS)
      ? undefined
      : { field: 'duration', allowed: '2 to 15 seconds', found: `${facts.seconds}` },
}

const framesPerSecond: MediaLimit = {
  id: 'frames-per-second',
  code: 'InvalidFrameRate',
  says: 'A video has 24 to 60 frames a second; 23.976 counts as 24.',
  place: 'docs/gaps.md#d7, docs/gaps.md#z22',
  check: (facts) =>
    facts.kind !== 'video' || isWithin(facts.framesPerSecond, FRAMES_PER_SECOND)
      ? undefined
      : { field: 'frame rate', allowed: '24 to 60 frames a second', found: `${facts.framesPerSecond}` },
}

/** In the order in which they are checked; the first that is broken is the job's error. */
export const limits: readonly MediaLimit[] = [sides, ratio, seconds, framesPerSecond]

/** Failures of the job of a file. A file of a known format that cannot be read fails too. */
export const failuresOf = (probe: Probe): AssetFailure[] => {
  if (probe.kind === 'unreadable')
    return [{ code: 'UnreadableFile', message: `file cannot be read: ${probe.detail}` }]
  return limits.flatMap(({ code, check }) => {
    const excess = check(probe)
    return excess === undefined ? [] : [{ code, message: sentence(excess) }]
  })
}

const sentence = ({ field, allowed, found }: Excess): string => `${field} must be ${allowed}, found ${found}`
