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
  /** Everything that is drawn, in order. */
  readonly instants: Float64Array
  /** Longer times than this without any instant are collapsed; infinite: none is. */
  readonly idleMs: number
  readonly pixelsPerMs: number
  /** At least this wide, in pixels: a shorter scale is stretched. */
  readonly minWidth: number
}

export const BREAK_WIDTH = 64
/** Room left of the first and right of the last instant. */
const MARGIN = 24

interface Piece {
  readonly from: number
  readonly to: number
  readonly isBreak: boolean
  readonly x: number
  readonly width: number
}

export const createTimeScale = ({ instants, idleMs, pixelsPerMs, minWidth }: ScaleInput): TimeScale => {
  const spans = spansOf(instants, idleMs)
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
  return scaleOf(pieces, Math.max(minWidth, x + MARGIN), instants[0] ?? 0)
}

/** Times of activity and the breaks between them. */
const spansOf = (instants: Float64Array, idleMs: number) => {
  const spans: { from: number; to: number; isBreak: boolean }[] = []
  let begin = instants[0] ?? 0
  let last = begin
  // A loop with `of` takes four times as long on a typed array.
  instants.forEach((at) => {
    if (at - last > idleMs) {
      spans.push({ from: begin, to: last, isBreak: false }, { from: last, to: at, isBreak: true })
      begin = at
    }
    last = at
  })
  return [...spans, { from: begin, to: last, isBreak: false }]
}

const scaleOf = (pieces: readonly Piece[], width: number, first: number): TimeScale => {
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
    if (piece === undefined || piece.width === 0) return piece?.from ?? first
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
    if ((to - tick) * factor > spacing / 2) ticks.push(tick)
  return ticks
}
