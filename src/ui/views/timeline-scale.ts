import { computed, signal } from '@preact/signals'
import { accountNow, clock, tasks } from '../app.js'
import { filters, hasFilter, search } from '../parts/filters.js'
import type { Viewport } from '../parts/virtual-list.js'
import { createTimeScale, factorToFit, type TimeScale } from '../state/time-scale.js'
import { isProblemRow, medianDuration, type TimelineRow } from '../state/timeline-rows.js'
import { allRows } from '../task-rows.js'

const styledLabelWidth = (): number =>
  Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--label-width'), 10)
/** Width of the labels left of the bars, in pixels: the style sheet has another one for a narrow window. */
export const labelWidth = signal(styledLabelWidth())
addEventListener('resize', () => {
  // A width that was chosen in a wide window leaves a narrow one no room for bars.
  if (matchMedia('(max-width: 760px)').matches) document.documentElement.style.removeProperty('--label-width')
  labelWidth.value = styledLabelWidth()
})

const MIN_LABEL_WIDTH = 96
const MAX_LABEL_WIDTH = 480

/** Changes the width of the labels by pixels, within bounds. */
export const widenLabels = (by: number): void => {
  const width = Math.min(MAX_LABEL_WIDTH, Math.max(MIN_LABEL_WIDTH, labelWidth.value + by))
  document.documentElement.style.setProperty('--label-width', `${width}px`)
  labelWidth.value = width
}

/** The part of the rows that is in sight; set when the page has measured it. */
export const viewport = signal<Viewport>({ left: 0, right: 900, top: 0, bottom: 800 })

/** The rows that the filters leave. */
export const rows = computed(() => {
  const { family, status, problems } = filters.value
  const term = search.value
  return allRows.value.filter(
    (row) =>
      (family === undefined || row.family === family) &&
      (status === undefined || row.task?.status === status) &&
      (problems === undefined || isProblemRow(row)) &&
      (term === '' || `${row.id} ${row.title} ${row.subtitle}`.toLowerCase().includes(term)),
  )
})

export const ROW_HEIGHT = 38

const visibleRows = (): readonly TimelineRow[] =>
  rows.value.slice(Math.floor(viewport.value.top / ROW_HEIGHT), Math.ceil(viewport.value.bottom / ROW_HEIGHT))

/** Width of the area right of the labels. */
export const barsWidth = computed(() =>
  Math.max(160, viewport.value.right - viewport.value.left - labelWidth.value),
)
/** Width of a task of median duration, where nothing was fitted yet. */
const TASK_WIDTH = 130
/** Space right of the last instant, for the word at the end of a bar. */
export const WORD_WIDTH = 150

/** Median duration of a task, to one digit: the scale stands still while tasks of about this length come. */
const taskMs = computed(() => Number(medianDuration(tasks.value).toPrecision(1)))

/** Pixels per millisecond that were chosen, or undefined where none were. */
const zoom = signal<number | undefined>(undefined)
const pixelsPerMs = computed(() => zoom.value ?? TASK_WIDTH / taskMs.value)

export const scale = computed<TimeScale>(() => {
  const next = clock.value?.next
  return createTimeScale({
    rows: [
      [accountNow(), ...(next == null ? [] : [Date.parse(next)])],
      ...rows.value.map((row) => row.instants),
    ],
    // A break never hides the ordinary course of a task.
    idleMs: hasFilter('idle') ? Number.POSITIVE_INFINITY : 5 * taskMs.value,
    pixelsPerMs: pixelsPerMs.value,
    left: labelWidth.value,
    minWidth: barsWidth.value - WORD_WIDTH,
  })
})
export const contentWidth = computed(() => scale.value.right + WORD_WIDTH)

/** The instant that has to be scrolled to the left edge of the bars, once the scale is drawn. */
export const scrollTarget = signal<number | undefined>(undefined)

/** Left of what is fitted. */
const FIT_MARGIN = 24

/** Fits a stretch of time into the bars. @param maxFactor pixels per millisecond */
export const fitRange = (from: number, to: number, maxFactor = Number.POSITIVE_INFINITY): void => {
  const factor = factorToFit(scale.value, from, to, barsWidth.value - FIT_MARGIN - WORD_WIDTH)
  if (factor !== undefined) zoom.value = Math.min(factor, maxFactor)
  scrollTarget.value = from
}

/** Fits the rows in sight, and now where idle time is collapsed. */
export const fitVisibleRows = (maxFactor?: number): void => {
  const visible = visibleRows()
  if (visible.length === 0) return
  const now = hasFilter('idle') ? [] : [accountNow()]
  const froms = visible.map((row) => row.instants[0] ?? row.at)
  fitRange(Math.min(...froms), Math.max(...visible.map((row) => row.to), ...now), maxFactor)
}

/** As `fitVisibleRows`, but a usual task is at most three times as wide as where nothing is fitted: others are to come. */
export const fitOnOpening = (): void => {
  zoom.value = undefined
  fitVisibleRows((3 * TASK_WIDTH) / taskMs.value)
}

/** Scales by a factor around the middle of the bars. */
export const zoomBy = (factor: number): void => {
  const { left, right } = viewport.value
  const { at } = scale.value
  const [from, to] = [at(left + labelWidth.value), at(right)]
  const middle = (from + to) / 2
  zoom.value = pixelsPerMs.value * factor
  scrollTarget.value = middle - (middle - from) / factor
}
