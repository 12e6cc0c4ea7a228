import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { account, accountNow, clock, requests, runAction, session, tasks } from '../app.js'
import { useShortcuts } from '../parts/shortcuts.js'
import { dateAndTime, formatDuration } from '../state/format.js'
import type { TimeScale } from '../state/time-scale.js'
import { expiryIn, type FutureMoment, futureMoments, statusAt } from '../state/timeline-rows.js'
import { Restore, useSnapshots } from './snapshots.js'
import { labelWidth, viewport } from './timeline-scale.js'

/** The instant that the line was moved to, in milliseconds of the account's clock, or undefined where it stands at now. */
const movedTo = signal<number | undefined>(undefined)
const backToNow = () => (movedTo.value = undefined)

/** What is to come, soonest first. It is only computed while the line is moved: there may be thousands of tasks. */
const future = computed(() => {
  const expiries = requests.value.flatMap((request) => expiryIn(request) ?? [])
  return futureMoments(tasks.value, accountNow(), clock.value?.next ?? null, expiries)
})

/** How near to a moment, in pixels, the line snaps to it. */
const SNAP_PX = 12

/**
 * The line of now. Dragged to the right, it snaps to what is to come where it is near, says what would happen, and moves the clock when it
 * is released. Dragged to the left, it shows the past, which is only looked at. By keyboard: arrow keys, Enter, Escape.
 */
export const NowLine = ({ scale }: { scale: TimeScale }) => {
  const now = accountNow()
  const line = useRef<HTMLDivElement>(null)
  const isDragging = useRef(false)
  const at = movedTo.value ?? now
  useShortcuts([
    { keys: 'Escape', label: 'back to now', run: () => movedTo.value !== undefined && backToNow() },
    { keys: '← →', label: 'on the line of now: to a moment; Enter moves the clock', run: () => false },
  ])
  // A look at the past of one account is none at that of another.
  useEffect(() => backToNow, [account.value.tag])

  const dragTo = (clientX: number): void => {
    const rows = line.current?.parentElement
    if (rows == null) return
    const x = clientX - rows.getBoundingClientRect().left
    const instant = Math.round(scale.at(x))
    const stop = instant > now ? nearest(future.value, instant)?.at : undefined
    movedTo.value = stop !== undefined && Math.abs(scale.x(stop) - x) <= SNAP_PX ? stop : instant
  }
  const stepTo = (stop = movedTo.value): void => {
    movedTo.value = stop === now ? undefined : stop
  }
  const stops = () => [...pastInstants(now), now, ...future.value.map((moment) => moment.at)]
  const release = (): void => {
    isDragging.current = false
    const to = movedTo.value
    if (to !== undefined && to > now) advanceTo(to)
  }
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => stepTo(stops().find((stop) => stop > at)),
    ArrowLeft: () => stepTo(stops().findLast((stop) => stop < at)),
    Enter: release,
  }
  return (
    <>
      {movedTo.value !== undefined && <div class="now-line ghost" style={{ left: `${scale.x(now)}px` }} />}
      <div
        ref={line}
        class="now-line"
        role="slider"
        tabIndex={0}
        aria-label="Now: drag to the right to move the clock"
        aria-valuemin={0}
        aria-valuemax={Math.max(now, scale.at(scale.right))}
        aria-valuenow={at}
        aria-valuetext={dateAndTime(at)}
        style={{ left: `${scale.x(at)}px` }}
        onPointerDown={(event) => {
          isDragging.current = true
          event.currentTarget.setPointerCapture(event.pointerId)
          event.preventDefault()
          event.currentTarget.focus()
        }}
        onPointerMove={({ clientX }) => isDragging.current && dragTo(clientX)}
        onPointerUp={release}
        onPointerCancel={() => {
          isDragging.current = false
          backToNow()
        }}
        onKeyDown={(event) => {
          const act = actions[event.key]
          if (act === undefined) return
          event.preventDefault()
          event.stopPropagation()
          act()
        }}
      />
      {movedTo.value !== undefined && <Preview at={movedTo.value} now={now} x={scale.x(movedTo.value)} />}
    </>
  )
}

const advanceTo = (to: number): void =>
  runAction(async () => {
    await session.advance({ to: new Date(to).toISOString() })
    // Meanwhile the line may have been moved on, to look at the past.
    if (movedTo.value === to) backToNow()
  })

const nearest = (moments: readonly FutureMoment[], at: number): FutureMoment | undefined =>
  moments.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]

const pastInstants = (now: number): readonly number[] =>
  [...new Set(tasks.value.flatMap(({ timeline }) => timeline.map(({ at }) => Date.parse(at))))]
    .filter((at) => at < now)
    .sort((a, b) => a - b)

const PREVIEW_WIDTH = 320

/** What would happen until an instant of the future, or what was at one of the past; left of the line. */
const Preview = ({ at, now, x }: { at: number; now: number; x: number }) => {
  const { left, right } = viewport.value
  const besideLine = Math.max(left + labelWidth.value, x - PREVIEW_WIDTH - 10)
  const inSight = Math.max(left, Math.min(besideLine, right - PREVIEW_WIDTH))
  return (
    <div class="preview" role="status" style={{ left: `${inSight}px`, width: `${PREVIEW_WIDTH}px` }}>
      {at > now ? <FuturePreview at={at} now={now} /> : <PastPreview at={at} />}
    </div>
  )
}

const MAX_MOMENTS = 8

const FuturePreview = ({ at, now }: { at: number; now: number }) => {
  const moments = future.value.filter((moment) => moment.at <= at)
  return (
    <>
      <strong>{dateAndTime(at)}</strong>, {formatDuration(at - now)} from now. Let go, or press Enter, and
      this happens:
      <ul>
        {moments.slice(0, MAX_MOMENTS).map((moment) => (
          <li key={`${moment.at} ${moment.text}`}>
            <span class="quiet">in {formatDuration(moment.at - now)}</span> {moment.text}
          </li>
        ))}
      </ul>
      {moments.length > MAX_MOMENTS && <p>and {moments.length - MAX_MOMENTS} more,</p>}
      <p class="quiet">
        {moments.length === 0 ? 'nothing is due until then.' : 'with the callbacks that follow.'}
      </p>
    </>
  )
}

const PastPreview = ({ at }: { at: number }) => {
  const counts = new Map<string, number>()
  for (const task of tasks.value) {
    const status = statusAt(task, at)
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  const states = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
  const snapshot = useSnapshots().findLast((candidate) => Date.parse(candidate.at) <= at)
  return (
    <>
      <strong>{dateAndTime(at)}</strong>: {states === '' ? 'no task yet' : states}. The past is only looked
      at. Escape goes back to now.
      {snapshot !== undefined && (
        <div>
          <Restore {...snapshot} onRestored={backToNow} />
        </div>
      )}
    </>
  )
}
