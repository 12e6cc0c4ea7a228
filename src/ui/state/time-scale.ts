/** Time scale of the timeline: instants in milliseconds to pixels, with idle time collapsed to breaks of one width. */
export interface TimeScale {
  /** Of everything, in pixels. */
  readonly width: number
  /** Pixels from the left for an instant. */
  x(at: number): number
  /** The instant at a place. */
  at(x: number): number
  /** Idle times that are collapsed. */
  readonly breaks: readonly TimeBreak[]
  /** Instants to label between two places, at least `spacing` pixels apart. */
  ticks(fromX: number, toX: number, spacing: number): readonly number[]
}

export interface TimeBreak {
  readonly from: number
  readonly to: number
  readonly x: number
}

interface ScaleInput {
  /** The instants of each thing that is drawn, in order. */
  readonly courses: readonly (readonly number[])[]
  /** Longer times than this without any instant are collapsed; infinite: none is. */
  readonly idleMs: number
  readonly pixelsPerMs: number
  /** At least this wide, in pixels: a shorter scale is stretched. */
  readonly minWidth: number
}

export const BREAK_WIDTH = 76
/** Room left of the first and right of the last instant. */
const MARGIN = 24

interface Piece extends TimeBreak {
  readonly isBreak: boolean
  readonly width: number
}

export const createTimeScale = ({ courses, idleMs, pixelsPerMs, minWidth }: ScaleInput): TimeScale => {
  const spans = spansOf(courses, idleMs)
  const breaks = spans.filter(({ isBreak }) => isBreak).length * BREAK_WIDTH
  const activeMs = spans.reduce((sum, { from, to, isBreak }) => sum + (isBreak ? 0 : to - from), 0)
  const room = minWidth - 2 * MARGIN - breaks
  const factor = Math.max(pixelsPerMs, activeMs === 0 ? 0 : room / activeMs)
  const pieces: Piece[] = []
  let x = MARGIN
  for (const span of spans) {
    const width = span.isBreak ? BREAK_WIDTH : (span.to - span.from) * factor
    pieces.push({ ...span, x, width })
    x += width
  }
  return scaleOf(pieces, Math.max(minWidth, x + MARGIN))
}

/** Times of activity and the breaks between them. */
const spansOf = (courses: readonly (readonly number[])[], idleMs: number) => {
  const active: { from: number; to: number }[] = []
  const add = (from: number, to: number): void => {
    const last = active.at(-1)
    if (last === undefined || from - last.to > idleMs || last.from - to > idleMs)
      return void active.push({ from, to })
    last.from = Math.min(last.from, from)
    last.to = Math.max(last.to, to)
  }
  for (const course of courses) {
    let from = course[0] ?? 0
    let to = from
    for (const at of course) {
      if (at - to > idleMs) {
        add(from, to)
        from = at
      }
      to = at
    }
    add(from, to)
  }
  // Courses come nearly in their order: most have joined the one before, and few are left to sort.
  const parts = active.splice(0).sort((one, other) => one.from - other.from)
  for (const { from, to } of parts) add(from, to)
  return active.flatMap(({ from, to }, index) => {
    const before = active[index - 1]
    const span = { from, to, isBreak: false }
    return before === undefined ? [span] : [{ from: before.to, to: from, isBreak: true }, span]
  })
}

const scaleOf = (pieces: readonly Piece[], width: number): TimeScale => {
  const pieceFor = (isIn: (piece: Piece) => boolean) => {
    let [low, high] = [0, pieces.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isIn(pieces[middle] as Piece)) high = middle
      else low = middle + 1
    }
    return pieces[low]
  }
  const x = (at: number): number => {
    const piece = pieceFor(({ to }) => at <= to)
    if (piece === undefined) return MARGIN
    const share = piece.to === piece.from ? 0 : (at - piece.from) / (piece.to - piece.from)
    return piece.x + Math.min(1, Math.max(0, share)) * piece.width
  }
  const at = (place: number): number => {
    const piece = pieceFor((one) => place <= one.x + one.width)
    if (piece === undefined || piece.width === 0) return piece?.from ?? 0
    return piece.from + Math.min(1, Math.max(0, (place - piece.x) / piece.width)) * (piece.to - piece.from)
  }
  return {
    width,
    x,
    at,
    breaks: pieces.filter(({ isBreak }) => isBreak),
    ticks: (fromX, toX, spacing) =>
      pieces.flatMap((piece) =>
        piece.isBreak || piece.x > toX || piece.x + piece.width < fromX
          ? []
          : ticksIn(piece, fromX, toX, spacing),
      ),
  }
}

const STEPS_MS = [
  1, 5, 10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000,
  3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
]

const ticksIn = ({ from, to, x, width }: Piece, fromX: number, toX: number, spacing: number): number[] => {
  if (width < spacing) return [from]
  const factor = width / (to - from)
  const step = STEPS_MS.find((one) => one * factor >= spacing) ?? 7 * 86_400_000
  const begin = Math.max(from, from + (fromX - x) / factor)
  const end = Math.min(to, from + (toX - x) / factor)
  const ticks: number[] = []
  for (let tick = Math.ceil(begin / step) * step; tick <= end; tick += step)
    if ((to - tick) * factor > 0.7 * spacing) ticks.push(tick)
  return ticks
}
