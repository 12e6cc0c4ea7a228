import { computed } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { account, accountNow, clock, requests, route, router, tasks } from '../app.js'
import { FilterCheck, FilterChoice, filters, hasFilter, SearchField, search } from '../parts/filters.js'
import { Message } from '../parts/layout.js'
import { ListView } from '../parts/list-view.js'
import { statuses } from '../parts/status.js'
import { clockTime, countOf, dateAndTime, dateOf, formatDuration } from '../state/format.js'
import { createTimeScale, type TimeScale } from '../state/time-scale.js'
import { isProblemRow, medianDuration, timelineRows } from '../state/timeline-rows.js'
import { NowLine } from './now-line.js'
import { RequestDetail } from './request-detail.js'
import { TaskDetail } from './task-detail.js'
import { labelWidth, TimelineLine, viewport } from './timeline-row.js'

const allRows = computed(() => timelineRows(account.value))
// Rows are built as their tasks arrive, also beside another view: thousands at once would hold up the click that opens this one.
allRows.subscribe(() => undefined)

const rows = computed(() => {
  const { family, status, problems } = filters.value
  const term = search.value
  return allRows.value.filter(
    (row) =>
      (family === undefined || row.family === family) &&
      (status === undefined || row.task?.status === status) &&
      (problems === undefined || isProblemRow(row)) &&
      (term === '' || `${row.title} ${row.subtitle}`.toLowerCase().includes(term)),
  )
})

/** Width of the area right of the labels. */
const barsWidth = computed(() => Math.max(160, viewport.value.right - viewport.value.left - labelWidth.value))
/** Width of a task of median duration. */
const TASK_WIDTH = 130
/** Space right of the last instant, for the word at the end of a bar. */
const WORD_WIDTH = 110

/** Median duration of a task, to one digit: the scale stands still while tasks of about this length come. */
const taskMs = computed(() => Number(medianDuration(tasks.value).toPrecision(1)))

const scale = computed<TimeScale>(() => {
  const next = clock.value?.next
  return createTimeScale({
    rows: [
      [accountNow(), ...(next == null ? [] : [Date.parse(next)])],
      ...rows.value.map((row) => row.instants),
    ],
    // A break never hides the ordinary course of a task.
    idleMs: hasFilter('idle') ? Number.POSITIVE_INFINITY : 5 * taskMs.value,
    pixelsPerMs: TASK_WIDTH / taskMs.value,
    left: labelWidth.value,
    minWidth: barsWidth.value - WORD_WIDTH,
  })
})
const contentWidth = computed(() => scale.value.right + WORD_WIDTH)

/** Families of the rows; `–`, that of a call without an operation, comes last. */
const rowFamilies = computed(() => [...new Set(allRows.value.map(({ family }) => family))].sort())

/** Whether a task ended as it began, as pictures do, which are answered at once. */
const hasPictures = computed(() =>
  allRows.value.some(({ task, phases }) => task !== undefined && phases.length === 1),
)

/** Timeline: a row for each task with its bar and its marks on the account's clock. */
export const TimelineView = () => {
  const scroller = useRef<HTMLElement | null>(null)
  useFollow(scroller)
  return (
    <ListView
      label="Timeline"
      filters={<Filters />}
      items={rows.value}
      rowHeight={38}
      row={(row, link) => <TimelineLine row={row} scale={scale.value} now={accountNow()} link={link} />}
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

/** The now-line is kept so far from the right edge, in pixels. */
const NOW_MARGIN = 80

/**
 * Hook: keeps the now-line in sight as it moves, unless the list was scrolled away from it. Scrolls to the bar of a task that
 * is opened where none of it is in sight.
 */
const useFollow = (scroller: RefObject<HTMLElement | null>): void => {
  const isFollowing = useRef(true)
  const { x } = scale.value
  const nowX = x(accountNow())
  // The list has another element each time that it takes the place of the message about no rows.
  const element = scroller.current
  /** Whether any of what is between two pixels is in sight. */
  const isInSight = (from: number, to: number): boolean => {
    const { scrollLeft, clientWidth } = scroller.current as HTMLElement
    return to >= scrollLeft + labelWidth.value && from <= scrollLeft + clientWidth
  }
  const show = (from: number, to: number): void => {
    if (scroller.current !== null && !isInSight(from, to))
      scroller.current.scrollLeft = to - labelWidth.value - barsWidth.value * 0.6
  }
  const readFollowing = (): void => {
    const latestX = scale.value.x(accountNow())
    // The event can come when the list is gone.
    if (scroller.current !== null) isFollowing.current = isInSight(latestX, latestX)
  }
  useEffect(() => {
    const list = scroller.current
    list?.addEventListener('scrollend', readFollowing)
    return () => list?.removeEventListener('scrollend', readFollowing)
  }, [element])
  useEffect(() => {
    if (isFollowing.current) show(nowX + NOW_MARGIN, nowX)
  }, [nowX, barsWidth.value, element])
  const opened = rows.value.find(({ id }) => account.value.isLoaded && id === route.value.id)
  useEffect(() => {
    if (opened === undefined) return
    show(x(opened.at), x(opened.phases.at(-1)?.from ?? opened.at))
    readFollowing()
  }, [opened?.id, barsWidth.value, element])
}

const TICK_SPACING = 96

const Axis = () => {
  const { ticks, x, breaks } = scale.value
  const { left, right } = viewport.value
  const nowX = x(accountNow())
  // Other labels would touch the flag of now.
  const isBesideFlag = (at: number): boolean => x(at) < nowX - 60 || x(at) > nowX + 34
  return (
    <div class="axis" style={{ width: `${contentWidth.value}px` }}>
      <div class="axis-label">{dateOf(accountNow())}</div>
      {ticks(left, right, TICK_SPACING)
        .filter(isBesideFlag)
        .map((at, index, shown) => (
          <span key={at} class="tick" style={{ left: `${x(at)}px` }} title={dateAndTime(at)}>
            {dateOf(at) === dateOf(shown[index - 1] ?? accountNow()) ? clockTime(at) : dateOf(at)}
          </span>
        ))}
      <span class="now-flag" style={{ left: `${nowX}px` }}>
        now
      </span>
      {breaks.map(({ from, to, x: breakX, width }) => (
        <span key={from} class="break-label" style={{ left: `${breakX}px`, width: `${width}px` }}>
          {formatDuration(to - from)}
        </span>
      ))}
    </div>
  )
}

const Breaks = () =>
  scale.value.breaks.map(({ from, x, width }) => (
    <div key={from} class="break" style={{ left: `${x}px`, width: `${width}px` }} />
  ))

const Filters = () => {
  const { evictedRequests } = account.value
  return (
    <>
      <SearchField label="Search the timeline" placeholder="id, prompt" />
      <FilterChoice name="family" label="Family" values={rowFamilies.value} />
      <FilterChoice name="status" label="Status" values={statuses} />
      <FilterCheck name="problems" label="problems" shortcut="p" />
      <FilterCheck name="idle" isInverse label="collapse idle" shortcut="c" />
      {hasPictures.value && <span class="quiet">Pictures are tasks as well: they end as they begin.</span>}
      {evictedRequests > 0 && <span class="quiet">{countOf(evictedRequests, 'older call')} evicted</span>}
    </>
  )
}
