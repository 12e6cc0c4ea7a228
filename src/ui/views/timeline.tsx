import { computed } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { account, accountNow, requests, router } from '../app.js'
import { Button } from '../parts/button.js'
import { FilterCheck, FilterChoice, SearchField } from '../parts/filters.js'
import { Message } from '../parts/layout.js'
import { ListView } from '../parts/list-view.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { statuses } from '../parts/status.js'
import { clockTime, countOf, dateAndTime, dateOf, formatDuration, formatNumber } from '../state/format.js'
import { allRows } from '../task-rows.js'
import { NowLine } from './now-line.js'
import { RequestDetail } from './request-detail.js'
import { TaskDetail } from './task-detail.js'
import { Overview } from './timeline-overview.js'
import { TimelineLine } from './timeline-row.js'
import {
  contentWidth,
  fitVisibleRows,
  labelWidth,
  ROW_HEIGHT,
  rows,
  scale,
  viewport,
  widenLabels,
  zoomBy,
} from './timeline-scale.js'
import { useTimelineScroll } from './timeline-scroll.js'

/** Families of the rows; `–`, that of a call without an operation, comes last. */
const rowFamilies = computed(() => [...new Set(allRows.value.map(({ family }) => family))].sort())

/** Whether a task ended as it began, as pictures do, which are answered at once. */
const hasPictures = computed(() =>
  allRows.value.some(({ task, phases }) => task !== undefined && phases.length === 1),
)

/** Timeline: a row for each task with its bar and its marks on the account's clock. */
export const TimelineView = () => {
  const scroller = useRef<HTMLElement | null>(null)
  const showRow = useTimelineScroll(scroller)
  return (
    <ListView
      label="Timeline"
      filters={<Filters />}
      items={rows.value}
      rowHeight={ROW_HEIGHT}
      above={rows.value.length > 0 && <Overview scroller={scroller} />}
      row={(row, link) => (
        <TimelineLine
          row={row}
          scale={scale.value}
          now={accountNow()}
          link={link}
          onShow={() => showRow(row)}
        />
      )}
      width={contentWidth.value}
      scroller={scroller}
      onViewport={(visible) => (viewport.value = visible)}
      header={<Axis />}
      overlay={
        <>
          <Breaks />
          <NowLine scale={scale.value} />
        </>
      }
      empty={
        account.value.isLoaded && (
          <Message text={allRows.value.length === 0 ? 'No task yet.' : 'No row matches the filters.'} />
        )
      }
      detail={(open) => {
        const Opened = requests.value.some(({ id }) => id === open) ? RequestDetail : TaskDetail
        return <Opened key={open} id={open} />
      }}
      openRow={openRow}
    />
  )
}

/** A task opens beside its row; a refused call in its own view. */
const openRow = (id: string): void => {
  const task = rows.value.find((row) => row.id === id)?.task
  if (task === undefined) router.go({ view: 'requests', id })
  else router.open(id)
}

const TICK_SPACING = 96
/** Of a letter of a label on the axis, and left of its first one, in pixels. */
const LETTER_WIDTH = 7.3
const LABEL_MARGIN = 5
/** Of the flag of now, in pixels. */
const FLAG_WIDTH = 34

const Axis = () => {
  const { ticks, x, at: instantAt, breaks } = scale.value
  const { right } = viewport.value
  // The labels of the rows cover what is left of it.
  const left = viewport.value.left + labelWidth.value
  const nowX = x(accountNow())
  // Other labels would touch the flag of now.
  const isBesideFlag = (at: number): boolean => x(at) < nowX - 60 || x(at) > nowX + FLAG_WIDTH
  // Where a collapsed stretch begins at now, the flag would cover its length: it stands left of the line.
  const isBeforeBreak = breaks.some(({ x: breakX }) => breakX > nowX - 1 && breakX < nowX + FLAG_WIDTH)
  /** How much of a stretch the flag covers there, where another one ends: its length makes room. */
  const coveredWidth = (right: number): number =>
    isBeforeBreak && right < nowX + 1 ? Math.max(0, right - (nowX - FLAG_WIDTH)) : 0
  const labelOf = (at: number, before: number): string =>
    dateOf(at) === dateOf(before) ? clockTime(at) : dateOf(at)
  /** Whether a label ends before the next collapsed stretch begins, whose length would cover it. */
  const hasRoom = (at: number, label: string): boolean =>
    !breaks.some(
      ({ x: breakX }) => breakX > x(at) && breakX < x(at) + LABEL_MARGIN + label.length * LETTER_WIDTH,
    )
  return (
    <div class="axis" style={{ width: `${contentWidth.value}px` }}>
      <div class="axis-label">
        {dateOf(instantAt(left))}
        <LabelEdge />
      </div>
      {ticks(left, right, TICK_SPACING)
        .filter((at) => x(at) >= left && isBesideFlag(at))
        .map((at, index, shown) => ({ at, label: labelOf(at, shown[index - 1] ?? accountNow()) }))
        .map(({ at, label }) => (
          <span key={at} class="tick" style={{ left: `${x(at)}px` }} title={dateAndTime(at)}>
            {hasRoom(at, label) && label}
          </span>
        ))}
      <span class={isBeforeBreak ? 'now-flag before' : 'now-flag'} style={{ left: `${nowX}px` }}>
        now
      </span>
      {breaks.map(({ from, to, x: breakX, width }) => (
        <span
          key={from}
          class="break-label"
          style={{
            left: `${breakX}px`,
            width: `${width}px`,
            paddingRight: `${coveredWidth(breakX + width)}px`,
          }}
          title={formatDuration(to - from)}
        >
          {formatDuration(to - from)}
        </span>
      ))}
    </div>
  )
}

const EDGE_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -16, ArrowRight: 16 }

/** The edge of the labels, which is dragged, or moved with the arrow keys. */
const LabelEdge = () => (
  <hr
    class="label-edge"
    tabIndex={0}
    aria-orientation="vertical"
    aria-label="Width of the labels"
    aria-valuenow={labelWidth.value}
    onPointerDown={(event) => {
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
    }}
    onPointerMove={({ currentTarget, pointerId, movementX }) =>
      currentTarget.hasPointerCapture(pointerId) && widenLabels(movementX)
    }
    onKeyDown={(event) => {
      const step = EDGE_STEPS[event.key]
      if (step === undefined) return
      event.preventDefault()
      event.stopPropagation()
      widenLabels(step)
    }}
  />
)

const Breaks = () =>
  scale.value.breaks.map(({ from, x, width }) => (
    <div key={from} class="break" style={{ left: `${x}px`, width: `${width}px` }} />
  ))

const Filters = () => {
  const { evictedRequests } = account.value
  useShortcuts([
    { keys: 'f', label: 'fit the rows in sight', run: () => fitVisibleRows() },
    { keys: '+', label: 'wider', run: () => zoomBy(1.5) },
    { keys: '-', label: 'narrower', run: () => zoomBy(1 / 1.5) },
  ])
  return (
    <>
      <SearchField label="Search the timeline" placeholder="prompt, id" />
      <FilterChoice name="family" label="Family" values={rowFamilies.value} />
      <FilterChoice name="status" label="Status" values={statuses} />
      <FilterCheck name="problems" label="problems" shortcut="p" />
      <FilterCheck name="idle" isInverse label="collapse idle" shortcut="c" />
      <Button onClick={() => fitVisibleRows()} title="Fit the rows in sight; + and - scale">
        fit <kbd>f</kbd>
      </Button>
      {rows.value.length < allRows.value.length && (
        <span class="quiet">
          {formatNumber(rows.value.length)} of {countOf(allRows.value.length, 'row')}
        </span>
      )}
      {hasPictures.value && <span class="quiet">Pictures are tasks as well: they end as they begin.</span>}
      {evictedRequests > 0 && <span class="quiet">{countOf(evictedRequests, 'older call')} evicted</span>}
    </>
  )
}
