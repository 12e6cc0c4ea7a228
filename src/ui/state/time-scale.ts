/** Time scale of the timeline: instants in milliseconds to pixels, with idle time collapsed to breaks of one width. */
export type TimeScale = ReturnType<typeof scaleOf>

interface ScaleInput {
  /** The instants of each row, in order. */
  readonly rows: readonly (readonly number[])[]
  /** Longer times than this without any instant are collapsed; infinite: none is. */
  readonly idleMs: number
  readonly pixelsPerMs: number
  /** Its left edge, in pixels. */
  readonly left: number
  /** At least this wide, in pixels: a shorter scale is stretched. */
  readonly minWidth: number
}

export const BREAK_WIDTH = 76
/** Browsers draw no element that is much wider. */
const MAX_WIDTH = 16_000_000
/** Left of the first and right of the last instant. */
const MARGIN = 24

interface Span {
  readonly from: number
  readonly to: number
  readonly isBreak: boolean
}

/** A span of time with its place in pixels. */
interface Segment extends Span {
  readonly x: number
  readonly width: number
}

export const createTimeScale = ({ rows, idleMs, pixelsPerMs, left, minWidth }: ScaleInput) => {
  const spans = spansOf(rows, idleMs)
  const breaksWidth = spans.filter(({ isBreak }) => isBreak).length * BREAK_WIDTH
  const activeMs = spans.reduce((sum, { from, to, isBreak }) => sum + (isBreak ? 0 : to - from), 0)
  const availableWidth = minWidth - 2 * MARGIN - breaksWidth
  const fillingFactor = activeMs === 0 ? 0 : availableWidth / activeMs
  const factor = Math.min(MAX_WIDTH / activeMs, Math.max(pixelsPerMs, fillingFactor))
  const segments: Segment[] = []
  let x = left + MARGIN
  for (const span of spans) {
    const width = span.isBreak ? BREAK_WIDTH : (span.to - span.from) * factor
    segments.push({ ...span, x, width })
    x += width
  }
  return scaleOf(segments, Math.max(left + minWidth, x + MARGIN))
}

/**
 * The pixels per millisecond at which a stretch of time fills a width. Undefined where nothing happens in it but idle time.
 * Collapsed idle time takes at most three quarters of the width.
 */
export const factorToFit = (
  { breaks }: Pick<TimeScale, 'breaks'>,
  from: number,
  to: number,
  width: number,
): number | undefined => {
  const inside = breaks.filter((idle) => idle.to > from && idle.from < to)
  const idleMs = inside.reduce((sum, idle) => sum + Math.min(to, idle.to) - Math.max(from, idle.from), 0)
  const activeMs = to - from - idleMs
  return activeMs <= 0 ? undefined : Math.max(width / 4, width - inside.length * BREAK_WIDTH) / activeMs
}

/** Spans of activity and the breaks between them. */
const spansOf = (rows: ScaleInput['rows'], idleMs: number): Span[] => {
  const active: { from: number; to: number }[] = []
  const add = (from: number, to: number): void => {
    const last = active.at(-1)
    if (last === undefined || from - last.to > idleMs || last.from - to > idleMs)
      return void active.push({ from, to })
    last.from = Math.min(last.from, from)
    last.to = Math.max(last.to, to)
  }
  for (const instants of rows) {
    let from = instants[0] ?? 0
    let to = from
    for (const at of instants) {
      if (at - to > idleMs) {
        add(from, to)
        from = at
      }
      to = at
    }
    add(from, to)
  }
  // Rows come nearly in their order: most have joined the one before, and few are left to sort.
  const unsorted = active.splice(0).sort((a, b) => a.from - b.from)
  for (const { from, to } of unsorted) add(from, to)
  return active.flatMap(({ from, to }, index) => {
    const previous = active[index - 1]
    const span = { from, to, isBreak: false }
    return previous === undefined ? [span] : [{ from: previous.to, to: from, isBreak: true }, span]
  })
}

/** @param right its right edge, in pixels */
const scaleOf = (segments: readonly Segment[], right: number) => {
  /** The first segment that satisfies a condition which all later ones satisfy too, else the last one: a binary search. */
  const firstWhere = (isReached: (segment: Segment) => boolean): Segment => {
    let [low, high] = [0, segments.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isReached(segments[middle] as Segment)) high = middle
      else low = middle + 1
    }
    return segments[low] as Segment
  }
  return {
    right,
    /** The pixel of an instant. */
    x: (at: number): number => {
      const { from, to, x, width } = firstWhere((segment) => at <= segment.to)
      return x + fraction(at, from, to) * width
    },
    /** The instant at a pixel. */
    at: (pixel: number): number => {
      const { from, to, x, width } = firstWhere((segment) => pixel <= segment.x + segment.width)
      return from + fraction(pixel, x, x + width) * (to - from)
    },
    /** Idle times that are collapsed. */
    breaks: segments.filter(({ isBreak }) => isBreak),
    /** Instants to label between two pixels, at least `spacing` pixels apart. */
    ticks: (fromX: number, toX: number, spacing: number): readonly number[] =>
      segments
        .filter(({ isBreak, x, width }) => !isBreak && x <= toX && x + width >= fromX)
        .flatMap((segment) => ticksIn(segment, fromX, toX, spacing)),
  }
}

/** How far a value is from one limit to the other: 0 to 1. */
const fraction = (value: number, from: number, to: number): number =>
  to === from ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from)))

const WEEK_MS = 7 * 86_400_000
const TICK_STEPS_MS = [
  1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 7_200_000,
  21_600_000, 43_200_000, 86_400_000,
]

const ticksIn = ({ from, to, x, width }: Segment, fromX: number, toX: number, spacing: number): number[] => {
  if (width < spacing) return [from]
  const factor = width / (to - from)
  const step = TICK_STEPS_MS.find((ms) => ms * factor >= spacing) ?? WEEK_MS
  const first = Math.max(from, from + (fromX - x) / factor)
  const last = Math.min(to, from + (toX - x) / factor)
  const ticks: number[] = []
  for (let tick = Math.ceil(first / step) * step; tick <= last; tick += step)
    // A label further to the right would reach over the end.
    if ((to - tick) * factor > 0.7 * spacing) ticks.push(tick)
  return ticks
}
