import { signal } from '@preact/signals'
import { Link } from '../parts/link.js'
import { StatusMark } from '../parts/status.js'
import type { Sight } from '../parts/virtual-list.js'
import { shortId } from '../state/ids.js'
import { clockTime } from '../state/time.js'
import type { TimeScale } from '../state/time-scale.js'
import type { Mark, MarkKind, Stretch, TimelineRow } from '../state/timeline-rows.js'

const narrow = matchMedia('(max-width: 760px)')
/** Width of the labels left of the bars, in pixels. */
export const labelWidth = signal(narrow.matches ? 104 : 216)
narrow.addEventListener('change', () => {
  labelWidth.value = narrow.matches ? 104 : 216
})

const signs: Readonly<Record<MarkKind, string>> = {
  poll: '·',
  call: '•',
  download: '↓',
  callback: '✉︎',
  refusal: '✕',
  effect: '⚡︎',
  expiry: '◷',
}

const isEnd = ({ status, to }: Stretch): boolean =>
  to === undefined && !['pending', 'queued', 'running'].includes(status)

interface TimelineLineProps {
  readonly row: TimelineRow
  readonly scale: TimeScale
  readonly now: number
  readonly sight: Sight
  readonly isSelected: boolean
  readonly query: Readonly<Record<string, string>>
}

/** A row of the timeline: its label, the bar of its states, and its marks. What is to come is lighter. */
export const TimelineLine = ({ row, scale, now, sight, isSelected, query }: TimelineLineProps) => {
  const { id, title, subtitle, family, task, stretches } = row
  const to = task === undefined ? { view: 'requests', id } : { view: 'timeline', id, query }
  const end = stretches.find(isEnd)
  return (
    <div class={isSelected ? 'timeline-line selected' : 'timeline-line'}>
      <Link
        to={to}
        class="timeline-label"
        style={{ width: `${labelWidth.value}px` }}
        title={`${title}\n${subtitle}`}
        isCurrent={isSelected}
      >
        <span class="family">{family}</span>
        <span class="timeline-title">{task === undefined ? title : shortId(title)}</span>
        <span class="timeline-subtitle quiet">{subtitle}</span>
      </Link>
      {stretches
        .filter((stretch) => !isEnd(stretch))
        .map((stretch) => (
          <Bar key={stretch.from} stretch={stretch} scale={scale} now={now} />
        ))}
      {end !== undefined && (
        <span
          class={end.from > now ? 'end future' : 'end'}
          style={{ left: `${labelWidth.value + scale.x(end.from) + 4}px` }}
        >
          <StatusMark status={end.status} />
          {end.from > now && <span class="quiet"> {clockTime(end.from)}</span>}
        </span>
      )}
      <Marks row={row} scale={scale} now={now} sight={sight} isSelected={isSelected} />
    </div>
  )
}

/** A bar in one state; the part after now is drawn apart. */
const Bar = ({ stretch: { status, from, to = Number.POSITIVE_INFINITY }, scale, now }: BarProps) => {
  const middle = Math.min(Math.max(now, from), to)
  const endX = to === Number.POSITIVE_INFINITY ? scale.width : scale.x(to)
  const [left, split] = [scale.x(from), scale.x(middle)]
  return (
    <>
      {split > left && (
        <span
          class={`bar-piece state-${status}`}
          style={{ left: `${labelWidth.value + left}px`, width: `${split - left}px` }}
        >
          {split - left > 52 && status}
        </span>
      )}
      {endX > split && (
        <span
          class={`bar-piece future state-${status}`}
          style={{ left: `${labelWidth.value + split}px`, width: `${endX - split}px` }}
        >
          {endX - split > 52 && split === left && status}
        </span>
      )}
    </>
  )
}

interface BarProps {
  readonly stretch: Stretch
  readonly scale: TimeScale
  readonly now: number
}

/** Marks closer than this are drawn as one with a count. */
const MARK_WIDTH = 9

/** Marks in sight; the keyboard reaches those of the selected row. */
const Marks = ({ row: { marks }, scale, now, sight, isSelected }: Omit<TimelineLineProps, 'query'>) => {
  const clusters = new Map<string, { readonly mark: Mark; readonly x: number; count: number }>()
  for (const mark of marks) {
    const x = labelWidth.value + scale.x(mark.at)
    if (x < sight.left - 50 || x > sight.right + 50) continue
    const key = `${mark.kind} ${Math.round(x / MARK_WIDTH)}`
    const cluster = clusters.get(key)
    if (cluster === undefined) clusters.set(key, { mark, x, count: 1 })
    else cluster.count += 1
  }
  let free = 0
  return (
    <>
      {[...clusters].map(([key, { mark, x: exact, count }]) => {
        // Marks of several kinds at one time stand beside each other.
        const x = Math.max(exact, free)
        free = x + MARK_WIDTH + 1
        const label = `${clockTime(mark.at)} ${mark.label()}${count > 1 ? `, and ${count - 1} more` : ''}`
        const name = `mark mark-${mark.kind}${mark.at > now ? ' future' : ''}`
        return (
          <span key={key} class={name} style={{ left: `${x}px` }} title={label}>
            {mark.opens === undefined ? (
              <span aria-hidden="true">{signs[mark.kind]}</span>
            ) : (
              <Link to={mark.opens} label={label} tabIndex={isSelected ? 0 : -1}>
                {signs[mark.kind]}
              </Link>
            )}
          </span>
        )
      })}
    </>
  )
}
