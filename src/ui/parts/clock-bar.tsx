import { accountNow, attempt, clock, isMoving, lastMove, session } from '../app.js'
import { shortId } from '../state/ids.js'
import { clockTime, dateOf, duration } from '../state/time.js'
import { Button } from './button.js'
import { useShortcuts } from './shortcuts.js'

const SPEEDS = [0.1, 0.5, 1, 2, 5, 10, 60, 600, 3_600]

const STEPS = { '+1 m': '1m', '+1 h': '1h', '+24 h': '24h' }

/** The account's clock and everything that moves it. */
export const ClockBar = () => {
  const reading = clock.value
  useShortcuts([
    { keys: 'n', label: 'clock to the next moment', run: () => advance({ to: 'next' }) },
    { keys: 'N', label: 'clock on until idle', run: () => advance({ to: 'idle' }) },
  ])
  if (reading === undefined) return <div class="clock quiet">no account yet</div>
  const now = accountNow()
  const next = reading.next === null ? undefined : Date.parse(reading.next)
  const isBusy = isMoving.value
  return (
    <div class="clock">
      <div class="clock-face" aria-live="off">
        <span class="quiet">{dateOf(now)}</span> <strong>{clockTime(now)}</strong>
      </div>
      <ClockMode />
      <div class="buttons">
        <Button
          class="next"
          disabled={isBusy || next === undefined}
          act={() => session.advance({ to: 'next' })}
          title={next === undefined ? 'Nothing is left to happen' : 'Move the clock to the next moment (n)'}
        >
          {next === undefined ? 'nothing next' : `next · ${duration(Math.max(0, next - now))}`}
        </Button>
        {Object.entries(STEPS).map(([label, by]) => (
          <Button key={by} disabled={isBusy} act={() => session.advance({ by })}>
            {label}
          </Button>
        ))}
        <Button
          disabled={isBusy || next === undefined}
          act={() => session.advance({ to: 'idle' })}
          title="Move the clock until nothing is left to happen (N)"
        >
          until idle
        </Button>
      </div>
      <LastMove />
    </div>
  )
}

const advance = (how: Parameters<typeof session.advance>[0]): void => attempt(() => session.advance(how))

const ClockMode = () => {
  const reading = clock.value
  if (reading === undefined) return null
  return (
    <>
      <select
        aria-label="Mode of the clock"
        value={reading.mode}
        onChange={({ currentTarget }) =>
          attempt(() => session.changeClock({ mode: currentTarget.value as 'live' | 'paused' | 'on-poll' }))
        }
      >
        <option value="live">live</option>
        <option value="paused">paused</option>
        <option value="on-poll">on-poll</option>
      </select>
      {reading.mode === 'live' && (
        <select
          aria-label="Speed of the clock"
          value={String(reading.speed)}
          onChange={({ currentTarget }) =>
            attempt(() => session.changeClock({ speed: Number(currentTarget.value) }))
          }
        >
          {[...new Set([...SPEEDS, reading.speed])]
            .sort((one, other) => one - other)
            .map((speed) => (
              <option key={speed} value={String(speed)}>{`${speed}×`}</option>
            ))}
        </select>
      )}
    </>
  )
}

/** From where to where the clock has moved, and what happened on the way. */
const LastMove = () => {
  const move = lastMove.value
  if (move === undefined) return <output class="last-move" />
  const { now, happened, totals } = move.advanced
  const total = totals.task + totals.asset + totals.callback
  const sameDay = dateOf(move.from) === dateOf(now)
  return (
    <output class="last-move quiet">
      {clockTime(move.from)} → {sameDay ? '' : `${dateOf(now)} `}
      {clockTime(now)} ·{' '}
      {happened.length === 0
        ? 'nothing happened'
        : `${total} happened: ${happened
            .slice(0, 2)
            .map(({ id, detail }) => `${shortId(id)} ${detail}`)
            .join(', ')}${total > 2 ? ' …' : ''}`}
    </output>
  )
}
