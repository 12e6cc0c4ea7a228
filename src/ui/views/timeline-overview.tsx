import { computed, signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { accountNow } from '../app.js'
import { isProblemRow } from '../state/timeline-rows.js'
import { barsWidth, contentWidth, fitRange, labelWidth, rows, scale, viewport } from './timeline-scale.js'

/** Columns of the strip. */
const COLUMNS = 240
const HEIGHT = 24

/** Where an instant stands on the strip: 0 to 1. */
const shareOf = (at: number): number => shareOfX(scale.value.x(at))

const shareOfX = (x: number): number =>
  Math.min(1, Math.max(0, (x - labelWidth.value) / (contentWidth.value - labelWidth.value)))

/** How many rows have something at each column, and how many of them are problems. */
const counts = computed(() => {
  const all = new Uint32Array(COLUMNS)
  const problems = new Uint32Array(COLUMNS)
  for (const row of rows.value) {
    const counted = isProblemRow(row) ? [all, problems] : [all]
    // The marks of a refusal are apart; a task is one bar.
    const spans =
      row.task === undefined ? row.instants.map((at) => [at, at] as const) : [[row.at, row.to] as const]
    for (const [from, to] of spans) {
      const last = columnOf(to)
      for (let column = columnOf(from); column <= last; column += 1)
        for (const count of counted) count[column] = (count[column] ?? 0) + 1
    }
  }
  return { all, problems, max: Math.max(1, ...all) }
})

const columnOf = (at: number): number => Math.min(COLUMNS - 1, Math.floor(shareOf(at) * COLUMNS))

/** Columns as the `d` of a path. What is there at all is two pixels high. */
const columnsPath = (values: Uint32Array, max: number): string =>
  [...values]
    .map((value, column) => {
      if (value === 0) return ''
      const height = 2 + (HEIGHT - 4) * (value / max)
      return `M${column} ${HEIGHT}v${-height.toFixed(1)}h1v${height.toFixed(1)}z`
    })
    .join('')

/** What is being chosen on the strip, as shares of its width. */
const brush = signal<readonly [from: number, to: number] | undefined>(undefined)

const MIN_BRUSH_PX = 5

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`

/**
 * Overview strip: the whole account, with the part that is in sight. A stretch that is drawn on it is fitted into the bars; a click goes
 * to its place. By keyboard the list itself is scrolled and scaled, so that the strip is hidden from screen readers.
 */
export const Overview = ({ scroller }: { scroller: RefObject<HTMLElement | null> }) => {
  const strip = useRef<HTMLDivElement>(null)
  const { all, problems, max } = counts.value
  const { left, right } = viewport.value
  const [from, to] = brush.value ?? [shareOfX(left + labelWidth.value), shareOfX(right)]

  const shareAt = (clientX: number): number => {
    const box = strip.current?.getBoundingClientRect()
    return box === undefined ? 0 : Math.min(1, Math.max(0, (clientX - box.left) / box.width))
  }
  const xOf = (share: number): number => labelWidth.value + share * (contentWidth.value - labelWidth.value)
  const release = (): void => {
    if (brush.value === undefined) return
    const [begin, end] = [Math.min(...brush.value), Math.max(...brush.value)]
    brush.value = undefined
    const width = (end - begin) * (strip.current?.clientWidth ?? 0)
    if (width >= MIN_BRUSH_PX) fitRange(scale.value.at(xOf(begin)), scale.value.at(xOf(end)))
    else scroller.current?.scrollTo({ left: xOf(begin) - labelWidth.value - barsWidth.value / 2 })
  }

  return (
    <div class="overview" aria-hidden="true">
      <div
        ref={strip}
        class="overview-strip"
        title="Drag to fit a stretch of time, click to go there (f fits the rows in sight)"
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          const share = shareAt(event.clientX)
          brush.value = [share, share]
        }}
        onPointerMove={({ clientX }) => {
          if (brush.value !== undefined) brush.value = [brush.value[0], shareAt(clientX)]
        }}
        onPointerUp={release}
        onPointerCancel={() => {
          brush.value = undefined
        }}
      >
        <svg aria-hidden="true" viewBox={`0 0 ${COLUMNS} ${HEIGHT}`} preserveAspectRatio="none">
          <path class="overview-rows" d={columnsPath(all, max)} />
          <path class="overview-problems" d={columnsPath(problems, max)} />
        </svg>
        <span
          class="overview-window"
          style={{ left: percent(Math.min(from, to)), width: percent(Math.abs(to - from)) }}
        />
        <span class="overview-now" style={{ left: percent(shareOf(accountNow())) }} />
      </div>
    </div>
  )
}
