import { signal } from '@preact/signals'
import { Family } from '../parts/family.js'
import { filters } from '../parts/filters.js'
import { Link } from '../parts/link.js'
import { isFinal, StatusMark } from '../parts/status.js'
import type { RowLink, Viewport } from '../parts/virtual-list.js'
import { clockTime, shortId } from '../state/format.js'
import type { TimeScale } from '../state/time-scale.js'
import type { Mark, MarkKind, Phase, TimelineRow } from '../state/timeline-rows.js'

const styledLabelWidth = (): number =>
  Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--label-width'), 10)
/** Width of the labels left of the bars, in pixels: the style sheet has another one for a narrow window. */
export const labelWidth = signal(styledLabelWidth())
addEventListener('resize', () => {
  labelWidth.value = styledLabelWidth()
})

/** The part of the rows that is in sight; set when the page has measured it. */
export const viewport = signal<Viewport>({ left: 0, right: 900 })

const signs: Readonly<Record<MarkKind, string>> = {
  poll: '·',
  call: '•',
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
}

/** A row of the timeline: its label, the bar of its states, and its marks. What is to come is lighter. */
export const TimelineLine = ({ row, scale, now, link }: TimelineLineProps) => {
  const { id, title, subtitle, family, task, phases } = row
  const end = phases.find(isEnd)
  return (
    <div class={link.isCurrent ? 'timeline-line selected' : 'timeline-line'}>
      <Link
        to={task === undefined ? { view: 'requests', id } : { view: 'timeline', id, query: filters.value }}
        class="timeline-label"
        title={`${title}\n${subtitle}`}
        {...link}
      >
        <Family family={family} />
        <span class="timeline-title">{task === undefined ? title : shortId(title)}</span>
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
        </span>
      )}
      <Marks row={row} scale={scale} link={link} />
    </div>
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

/** Marks in sight; the keyboard reaches those of the selected row. */
const Marks = ({ row, scale, link }: Omit<TimelineLineProps, 'now'>) => {
  const { left, right } = viewport.value
  const clusters = new Map<string, { readonly mark: Mark; readonly x: number; count: number }>()
  for (const mark of row.marks) {
    const x = scale.x(mark.at)
    if (x < left - OVERSCAN_WIDTH || x > right + OVERSCAN_WIDTH) continue
    const key = `${mark.kind} ${Math.round(x / MARK_WIDTH)}`
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
          <span key={key} class={`mark mark-${mark.kind}`} style={{ left: `${x}px` }} title={label}>
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
