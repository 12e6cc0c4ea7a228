import type { TaskRecord } from '../../generated/control-api.js'
import { Family } from '../parts/family.js'
import { filters } from '../parts/filters.js'
import { Link } from '../parts/link.js'
import { Poster, refsOfTask } from '../parts/poster.js'
import { isFinal, StatusMark } from '../parts/status.js'
import type { RowLink } from '../parts/virtual-list.js'
import { clockTime, dateAndTime, dateOf } from '../state/format.js'
import type { TimeScale } from '../state/time-scale.js'
import type { Mark, MarkKind, Phase, TimelineRow } from '../state/timeline-rows.js'
import { labelWidth, viewport, WORD_WIDTH } from './timeline-scale.js'

const signs: Readonly<Record<MarkKind, string>> = {
  poll: '•',
  call: '●',
  download: '↓',
  callback: '✉︎',
  refusal: '✕',
  effect: '⚡︎',
  expiry: '◷',
}

const isEnd = ({ status, to }: Phase): boolean => to === undefined && isFinal(status)

interface TimelineLineProps {
  readonly row: TimelineRow
  readonly scale: TimeScale
  readonly now: number
  readonly link: RowLink
  /** Scrolls to it. */
  readonly onShow: () => void
}

/** A row of the timeline: its label, the bar of its states, and its marks. What is to come is lighter. */
export const TimelineLine = ({ row, scale, now, link, onShow }: TimelineLineProps) => {
  const { id, title, subtitle, family, task, phases } = row
  const end = phases.find(isEnd)
  return (
    <div class={link.isCurrent ? 'timeline-line selected' : 'timeline-line'}>
      <Link
        to={task === undefined ? { view: 'requests', id } : { view: 'timeline', id, query: filters.value }}
        class="timeline-label"
        title={`${title}\n${task?.id ?? subtitle}`}
        {...link}
      >
        <Family family={family} />
        <span class="timeline-title">{title}</span>
        <span class="timeline-subtitle quiet">{subtitle}</span>
      </Link>
      {phases
        .filter((phase) => !isEnd(phase))
        .map((phase) => (
          <Bar key={phase.from} phase={phase} scale={scale} now={now} />
        ))}
      {end !== undefined && (
        <span class={end.from > now ? 'end future' : 'end'} style={{ left: `${scale.x(end.from) + 4}px` }}>
          <StatusMark status={end.status} />
          {end.from > now && <span class="quiet"> {clockTime(end.from)}</span>}
          {task !== undefined && end.from <= now && (
            <Thumbnails task={task} tabIndex={link.isCurrent ? 0 : -1} />
          )}
        </span>
      )}
      <Marks row={row} scale={scale} link={link} />
      <EdgeChip row={row} scale={scale} now={now} onShow={onShow} />
    </div>
  )
}

const MAX_THUMBNAILS = 2

/** What a task has made, behind its bar. */
const Thumbnails = ({ task, tabIndex }: { task: TaskRecord; tabIndex: number }) =>
  refsOfTask(task)
    .slice(0, MAX_THUMBNAILS)
    .map((ref) => (
      <Link
        key={ref.index}
        class="end-poster"
        to={{ view: 'results', id: `${ref.task}.${ref.index}` }}
        aria-label={`Result ${ref.index + 1} of ${task.id}`}
        tabIndex={tabIndex}
      >
        <Poster {...ref} />
      </Link>
    ))

/** Says at the edge when a row that is out of sight is, and goes there. On the keyboard, opening the row does. */
const EdgeChip = ({
  row,
  scale,
  now,
  onShow,
}: Pick<TimelineLineProps, 'row' | 'scale' | 'now' | 'onShow'>) => {
  const { left, right } = viewport.value
  const first = row.instants[0] ?? row.at
  const isLeft = scale.x(row.to) + (row.task === undefined ? 0 : WORD_WIDTH) < left + labelWidth.value
  const isRight = scale.x(first) > right
  if (!isLeft && !isRight) return null
  const time = dateOf(first) === dateOf(now) ? clockTime(first) : dateAndTime(first)
  return (
    <button
      type="button"
      tabIndex={-1}
      class="edge"
      style={
        isLeft ? { left: `${left + labelWidth.value + 6}px` } : { left: `${right - 6}px`, translate: '-100%' }
      }
      onClick={onShow}
    >
      {isLeft ? `‹ ${time}` : `${time} ›`}
    </button>
  )
}

type BarProps = Pick<TimelineLineProps, 'scale' | 'now'> & { readonly phase: Phase }

/** A bar in one state; the part after now is drawn apart. The first part has the name of the state. */
const Bar = ({ phase: { status, from, to = Number.POSITIVE_INFINITY }, scale, now }: BarProps) => {
  const left = scale.x(from)
  const split = scale.x(Math.min(Math.max(now, from), to))
  const right = to === Number.POSITIVE_INFINITY ? scale.right : scale.x(to)
  const pieces = [
    { x: left, width: split - left, time: 'past' },
    { x: split, width: right - split, time: 'future' },
  ]
  return pieces
    .filter(({ width }) => width > 0)
    .map(({ x, width, time }, index) => (
      <span
        key={time}
        class={`bar-piece ${time} state-${status}`}
        style={{ left: `${x}px`, width: `${width}px` }}
      >
        {index === 0 && width > MIN_NAMED_WIDTH && status}
      </span>
    ))
}

/** The name of a state has no room in a narrower piece. */
const MIN_NAMED_WIDTH = 52

/** Marks closer than this are drawn as one with a count. */
const MARK_WIDTH = 9
/** Marks are drawn so far beyond both edges. */
const OVERSCAN_WIDTH = 50

/** A callback that did not arrive looks other than one that did. */
const kindClass = ({ kind, isDelivered }: Mark): string =>
  kind === 'callback' && isDelivered === false ? 'undelivered' : kind

/** Marks in sight; the keyboard reaches those of the selected row. */
const Marks = ({ row, scale, link }: Pick<TimelineLineProps, 'row' | 'scale' | 'link'>) => {
  const { left, right } = viewport.value
  const clusters = new Map<string, { readonly mark: Mark; readonly x: number; count: number }>()
  for (const mark of row.marks) {
    const x = scale.x(mark.at)
    if (x < left - OVERSCAN_WIDTH || x > right + OVERSCAN_WIDTH) continue
    const key = `${kindClass(mark)} ${Math.round(x / MARK_WIDTH)}`
    const cluster = clusters.get(key)
    if (cluster === undefined) clusters.set(key, { mark, x, count: 1 })
    else cluster.count += 1
  }
  let freeX = 0
  return (
    <>
      {[...clusters].map(([key, { mark, x: exactX, count }]) => {
        // Marks of several kinds at one time stand beside each other.
        const x = Math.max(exactX, freeX)
        freeX = x + MARK_WIDTH + 1
        const label = `${clockTime(mark.at)} ${mark.label()}${count > 1 ? `, and ${count - 1} more` : ''}`
        return (
          <span key={key} class={`mark mark-${kindClass(mark)}`} style={{ left: `${x}px` }} title={label}>
            {mark.opens === undefined ? (
              <span aria-hidden="true">{signs[mark.kind]}</span>
            ) : (
              <Link to={mark.opens} aria-label={label} tabIndex={link.isCurrent ? 0 : -1}>
                {signs[mark.kind]}
              </Link>
            )}
          </span>
        )
      })}
    </>
  )
}
