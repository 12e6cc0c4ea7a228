import { DAY, HOUR, MINUTE, SECOND } from '../../time/duration.js'

const units = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
] as const

/** Milliseconds as scenario files write them, exactly: `3h`, `1500ms`. */
export const durationText = (ms: number): string => {
  const whole = Math.max(0, Math.round(ms))
  const unit = units.find(([, length]) => whole > 0 && whole % length === 0)
  return unit === undefined ? `${whole}ms` : `${whole / unit[1]}${unit[0]}`
}
