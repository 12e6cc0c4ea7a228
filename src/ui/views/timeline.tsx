import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { account, accountNow, clock, place, router, tasks } from '../app.js'
import { Message } from '../parts/facts.js'
import { FilterCheck, FilterChoice, SearchField, toggleFilter } from '../parts/filters.js'
import { useListShortcuts, useShortcuts } from '../parts/shortcuts.js'
import { statuses } from '../parts/status.js'
import { type Sight, VirtualList } from '../parts/virtual-list.js'
import { clockTime, dateOf, duration } from '../state/time.js'
import { createTimeScale, type TimeScale } from '../state/time-scale.js'
import { isProblemRow, type TimelineRow, timelineRows, usualLength } from '../state/timeline-rows.js'
import { NowLine } from './now-line.js'
import { TaskDetail } from './task-detail.js'
import { labelWidth, TimelineLine } from './timeline-row.js'

const query = computed(() => place.value.query)

const allRows = computed(() => timelineRows(account.value))
// Rows are built as their tasks arrive, also beside another view: thousands at once would hold up the click that opens this one.
allRows.subscribe(() => undefined)

const rows = computed(() => {
  const { family, status, problems, search = '' } = query.value
  if (!family && !status && !problems && !search) return allRows.value
  const wanted = search.trim().toLowerCase()
  return allRows.value.filter(
    (row) =>
      (family === undefined || row.family === family) &&
      (status === undefined || row.task?.status === status) &&
      (problems === undefined || isProblemRow(row)) &&
      (wanted === '' || `${row.title} ${row.subtitle}`.toLowerCase().includes(wanted)),
  )
})

/** The part of the list that is in sight; set when the page has measured it. */
const sight = signal<Sight>({ left: 0, right: 900 })
const onLook = ({ clientWidth, scrollLeft }: HTMLElement): void => {
  sight.value = { left: scrollLeft, right: scrollLeft + clientWidth }
}
/** Width of the area right of the labels. */
const room = computed(() => Math.max(160, sight.value.right - sight.value.left - labelWidth.value))
/** Pixels that a task of usual length gets. */
const USUAL_WIDTH = 130
/** Room right of the last instant, for the word at the end of a bar. */
const WORD_WIDTH = 110

/** To one digit: the scale stands still while tasks of about this length come. */
const usual = computed(() => Number(usualLength(tasks.value).toPrecision(1)))

const scale = computed<TimeScale>(() => {
  const next = clock.value?.next
  return createTimeScale({
    courses: [
      [accountNow(), ...(next == null ? [] : [Date.parse(next)])],
      ...rows.value.map((row) => row.course),
    ],
    // A break never hides the ordinary course of a task.
    idleMs: query.value.idle === '1' ? Number.POSITIVE_INFINITY : 5 * usual.value,
    pixelsPerMs: USUAL_WIDTH / usual.value,
    minWidth: room.value - WORD_WIDTH,
  })
})

/** The last one is that of a call without an operation. */
const FAMILIES = ['A', 'A2', 'B', 'C', 'D', 'E', 'F', '–']
const cursor = signal('')
const idOf = ({ id }: TimelineRow): string => id

/** Timeline: a row for each task with its bar and its marks on the account's clock. */
export const TimelineView = () => {
  const open = place.value.id
  const box = useRef<HTMLElement | null>(null)
  const selected = useListShortcuts({ items: rows.value, idOf, cursor, open: openRow })
  useShortcuts([
    { keys: 'p', label: 'problems only', run: () => toggleFilter('problems') },
    { keys: 'c', label: 'collapse idle time', run: () => toggleFilter('idle') },
  ])
  useFollowNow(box)
  return (
    <div class={open === '' ? 'split' : 'split with-detail'}>
      <div class="split-list">
        <Filters />
        {rows.value.length === 0 && account.value.isLoaded ? (
          <Message text="No row matches." hint="Change the filters above." />
        ) : (
          <VirtualList
            items={rows.value}
            idOf={idOf}
            rowHeight={38}
            label="Timeline"
            selected={selected}
            width={labelWidth.value + scale.value.width + WORD_WIDTH}
            box={box}
            onLook={onLook}
            head={({ left, right }) => <Axis left={left} right={right} />}
            over={<NowLine scale={scale.value} />}
            row={(row, sight) => (
              <TimelineLine
                row={row}
                scale={scale.value}
                now={accountNow()}
                sight={sight}
                isSelected={row.id === selected}
                query={query.value}
              />
            )}
          />
        )}
      </div>
      {open !== '' && <TaskDetail key={open} id={open} />}
    </div>
  )
}

/** A task opens beside its row; a refused call in its own view. */
const openRow = (id: string): void => {
  const row = rows.value.find((one) => one.id === id)
  if (row?.task === undefined) router.go({ view: 'requests', id })
  else router.open(id)
}

/** Keeps the now-line in sight as it moves, unless the list was scrolled away from it. */
const useFollowNow = (box: { current: HTMLElement | null }): void => {
  const isFollowing = useRef(true)
  const target = labelWidth.value + scale.value.x(accountNow())
  useEffect(() => {
    const element = box.current
    const onScroll = () => {
      const x = labelWidth.value + scale.value.x(accountNow())
      isFollowing.current = x >= sight.value.left + labelWidth.value && x <= sight.value.right
    }
    element?.addEventListener('scrollend', onScroll)
    return () => element?.removeEventListener('scrollend', onScroll)
  }, [box.current])
  useEffect(() => {
    const { left, right } = sight.value
    if (box.current === null || !isFollowing.current) return
    if (target > right - 80 || target < left + labelWidth.value)
      box.current.scrollLeft = target - labelWidth.value - room.value * 0.6
  }, [target, room.value, box.current])
}

const Axis = ({ left, right }: { left: number; right: number }) => {
  const { ticks, x, breaks, width } = scale.value
  const nowX = x(accountNow())
  // The flag of now covers what is beside it.
  const shown = ticks(left - labelWidth.value, right - labelWidth.value, 96).filter(
    (at) => x(at) < nowX - 60 || x(at) > nowX + 34,
  )
  return (
    <div class="axis" style={{ width: `${labelWidth.value + width + WORD_WIDTH}px` }}>
      <div class="axis-label" style={{ width: `${labelWidth.value}px` }}>
        {dateOf(accountNow())}
      </div>
      {shown.map((at) => (
        <span key={at} class="tick" style={{ left: `${labelWidth.value + x(at)}px` }}>
          {clockTime(at)}
        </span>
      ))}
      <span class="now-flag" style={{ left: `${labelWidth.value + nowX}px` }}>
        now
      </span>
      {breaks.map((one) => (
        <span key={one.from} class="break-label" style={{ left: `${labelWidth.value + one.x}px` }}>
          {duration(one.to - one.from)}
        </span>
      ))}
    </div>
  )
}

const Filters = () => {
  const { evictedRequests } = account.value
  return (
    <div class="filters">
      <SearchField label="Search the timeline" placeholder="id, prompt" />
      <FilterChoice name="family" label="Family" values={FAMILIES} />
      <FilterChoice name="status" label="Status" values={statuses} />
      <FilterCheck name="problems">
        problems <kbd>p</kbd>
      </FilterCheck>
      <FilterCheck name="idle" isInverse>
        collapse idle <kbd>c</kbd>
      </FilterCheck>
      {evictedRequests > 0 && <span class="quiet">{evictedRequests} older calls evicted</span>}
    </div>
  )
}
