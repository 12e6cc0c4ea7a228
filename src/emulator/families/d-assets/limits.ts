import type { AssetFailure } from '../../core/asset.js'
import type { JobLimit, LimitExcess } from '../../core/contract.js'
import type { Probe } from '../../core/media/input.js'
import type { AssetBounds } from './facts.js'

interface Range {
  readonly min: number
  readonly max: number
}

const isWithin = (value: number, { min, max }: Range) => value >= min && value <= max

const sides = (range: Range): JobLimit => {
  const allowed = `${range.min} to ${range.max} pixels`
  return {
    id: 'sides',
    code: 'InvalidSize',
    says: `Both sides of an image or a video have ${allowed}.`,
    place: 'docs/gaps.md#d7, docs/gaps.md#z22',
    check: (facts) => {
      if (facts.kind === 'audio') return undefined
      const field = (['width', 'height'] as const).find((side) => !isWithin(facts[side], range))
      return field && { field, allowed, found: `${facts[field]}` }
    },
  }
}

const ratio = ({ min, max }: Range): JobLimit => {
  const allowed = `${min} to ${max}`
  // In thousandths, which are whole, so that 1000x400 is exactly at the limit.
  const [least, most] = [Math.round(min * 1_000), Math.round(max * 1_000)]
  return {
    id: 'ratio',
    code: 'InvalidRatio',
    says: `The width of an image or a video is ${allowed} times its height.`,
    place: 'docs/gaps.md#d7, docs/gaps.md#z22',
    check: (facts) => {
      if (facts.kind === 'audio') return undefined
      const { width, height } = facts
      if (width * 1_000 >= height * least && width * 1_000 <= height * most) return undefined
      const found = `${(width / height).toFixed(3)} (${width}x${height})`
      return { field: 'width/height', allowed, found }
    },
  }
}

const seconds = (range: Range): JobLimit => {
  const allowed = `${range.min} to ${range.max} seconds`
  return {
    id: 'seconds',
    code: 'InvalidDuration',
    says: `A video or a sound lasts ${allowed}.`,
    place: 'docs/gaps.md#d7',
    check: (facts) =>
      facts.kind === 'image' || isWithin(facts.seconds, range)
        ? undefined
        : { field: 'duration', allowed, found: `${facts.seconds}` },
  }
}

const framesPerSecond = (range: Range): JobLimit => {
  const least = Math.ceil(range.min)
  const allowed = `${least} to ${range.max} frames a second`
  const beside = least === range.min ? '' : `; ${range.min} counts as ${least}`
  return {
    id: 'frames-per-second',
    code: 'InvalidFrameRate',
    says: `A video has ${allowed}${beside}.`,
    place: 'docs/gaps.md#d7, docs/gaps.md#z22',
    check: (facts) =>
      facts.kind !== 'video' || isWithin(facts.framesPerSecond, range)
        ? undefined
        : { field: 'frame rate', allowed, found: `${facts.framesPerSecond}` },
  }
}

/** Limits that the job of an upload checks, in their order; the first that is broken is the job's error (gap D7). */
export const limitsOf = (bounds: AssetBounds): readonly JobLimit[] => [
  sides(bounds.sides),
  ratio(bounds.ratio),
  seconds(bounds.seconds),
  framesPerSecond(bounds['frames-per-second']),
]

/** Failures of the job of a file. A file of a known format that cannot be read fails too. */
export const failuresOf = (probe: Probe, limits: readonly JobLimit[]): AssetFailure[] => {
  if (probe.kind === 'unreadable')
    return [{ code: 'UnreadableFile', message: `file cannot be read: ${probe.detail}` }]
  return limits.flatMap(({ code, check }) => {
    const excess = check(probe)
    return excess === undefined ? [] : [{ code, message: sentence(excess) }]
  })
}

const sentence = ({ field, allowed, found }: LimitExcess): string =>
  `${field} must be ${allowed}, found ${found}`
