import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { account, accountNow, attempt, clock, report, session, tasks } from '../app.js'
import { Button } from '../parts/button.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { dateAndTime, duration } from '../state/time.js'
import type { TimeScale } from '../state/time-scale.js'
import { type FutureMoment, futureMoments, statusAt } from '../state/timeline-rows.js'
import { refreshSnapshots, restore, snapshots } from './snapshots.js'
import { labelWidth } from './timeline-row.js'

/** Where the line was dragged to, in milliseconds of the account's clock; undefined: it stands at now. */
const target = signal<number | undefined>(undefined)
const leave = (): void => {
  target.value = undefined
}

/** What is to come, soonest first. It is only computed while the line is moved: there may be thousands of tasks. */
const future = computed(() => futureMoments(tasks.value, accountNow(), clock.value?.next ?? null))

/**
 * The line of now. Dragged to the right, it snaps to what is to come, says what would happen, and moves the clock when it
 * is let go. Dragged to the left, it shows the past, which is only looked at. By keyboard: arrow keys, Enter, Escape.
 */
export const NowLine = ({ scale }: { scale: TimeScale }) => {
  const now = accountNow()
  const line = useRef<HTMLDivElement>(null)
  const isDragging = useRef(false)
  const at = target.value ?? now
  useShortcuts([
    {
      keys: 'Escape',
      label: 'back to now',
      run: () => {
        if (target.value === undefined) return false
        leave()
      },
    },
  ])
  // A look at the past of one account is none at that of another.
  useEffect(() => leave, [account.value.account])

  const lookAt = (place: number | undefined): void => {
    const isPast = place !== undefined && place < now
    if (isPast && at >= now) void refreshSnapshots().catch(report)
    target.value = place
  }
  const dragTo = (clientX: number): void => {
    const rows = line.current?.parentElement
    if (rows == null) return
    const place = scale.at(clientX - rows.getBoundingClientRect().left - labelWidth.value)
    lookAt(place > now ? nearest(future.value, place)?.at : place)
  }
  const letGo = (): void => {
    isDragging.current = false
    const to = target.value
    if (to !== undefined && to > now) advanceTo(to)
  }
  return (
    <>
      {scale.breaks.map(({ from, x }) => (
        <div key={from} class="break" style={{ left: `${labelWidth.value + x}px` }} />
      ))}
      {target.value !== undefined && (
        <div class="now-line ghost" style={{ left: `${labelWidth.value + scale.x(now)}px` }} />
      )}
      <div
        ref={line}
        class="now-line"
        role="slider"
        tabIndex={0}
        aria-label="Now: drag to the right to move the clock"
        aria-valuemin={0}
        aria-valuemax={Math.max(now, scale.at(scale.width))}
        aria-valuenow={at}
        aria-valuetext={dateAndTime(at)}
        style={{ left: `${labelWidth.value + scale.x(at)}px` }}
        onPointerDown={(event) => {
          isDragging.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
          event.preventDefault()
          event.currentTarget.focus()
        }}
        onPointerMove={({ clientX }) => {
          if (isDragging.current) dragTo(clientX)
        }}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onKeyDown={(event) => {
          if (!['ArrowRight', 'ArrowLeft', 'Enter'].includes(event.key)) return
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Enter') return letGo()
          const places = [...pastMoments(now), now, ...future.value.map((moment) => moment.at)]
          const next =
            event.key === 'ArrowRight' ? places.find((one) => one > at) : places.findLast((one) => one < at)
          lookAt(next === now ? undefined : (next ?? target.value))
        }}
      />
      {target.value !== undefined && <Preview at={target.value} now={now} scale={scale} />}
    </>
  )
}

const advanceTo = (to: number): void =>
  attempt(async () => {
    await session.advance({ to: new Date(to).toISOString() })
    // Meanwhile the line may have been moved on, to look at the past.
    if (target.value === to) target.value = undefined
  })

const nearest = (moments: readonly FutureMoment[], at: number): FutureMoment | undefined =>
  moments.reduce<FutureMoment | undefined>(
    (best, moment) =>
      best === undefined || Math.abs(moment.at - at) < Math.abs(best.at - at) ? moment : best,
    undefined,
  )

const pastMoments = (now: number): readonly number[] =>
  [...new Set(tasks.value.flatMap(({ timeline }) => timeline.map(({ at }) => Date.parse(at))))]
    .filter((at) => at < now)
    .sort((one, other) => one - other)

/** What would happen on the way, or what was. */
const Preview = ({ at, now, scale }: { at: number; now: number; scale: TimeScale }) => (
  <div
    class="preview"
    role="status"
    style={{ left: `${labelWidth.value + Math.max(0, scale.x(at) - 330)}px` }}
  >
    {at > now ? <Coming at={at} now={now} /> : <Past at={at} />}
  </div>
)

const MAX_SHOWN = 8

const Coming = ({ at, now }: { at: number; now: number }) => {
  const coming = future.value.filter((moment) => moment.at <= at)
  return (
    <>
      <strong>{dateAndTime(at)}</strong>, {duration(at - now)} from now. Let go, or press Enter, and this
      happens:
      <ul>
        {coming.slice(0, MAX_SHOWN).map((moment) => (
          <li key={`${moment.at} ${moment.text}`}>
            <span class="quiet">in {duration(moment.at - now)}</span> {moment.text}
          </li>
        ))}
      </ul>
      {coming.length > MAX_SHOWN && <p>and {coming.length - MAX_SHOWN} more,</p>}
      <p class="quiet">with the callbacks that follow.</p>
    </>
  )
}

const Past = ({ at }: { at: number }) => {
  const counts = new Map<string, number>()
  for (const task of tasks.value) {
    const status = statusAt(task, at)
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  const latest = snapshots.value.findLast((snapshot) => Date.parse(snapshot.at) <= at)
  const states = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
  return (
    <>
      <strong>{dateAndTime(at)}</strong>: {states === '' ? 'no task yet' : states}. The past is only looked
      at; the clock runs forward. Escape goes back to now.
      {latest !== undefined && (
        <p>
          <Button act={() => restore(latest.id)}>Restore {latest.id}</Button> of {dateAndTime(latest.at)}
        </p>
      )}
    </>
  )
}
