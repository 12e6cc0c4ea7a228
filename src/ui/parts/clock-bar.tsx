import type { ClockChange, ClockReading } from '../../generated/control-api.js'
import { accountNow, clock, isLost, isMoving, lastMove, runAction, session } from '../app.js'
import { clockTime, countOf, dateOf, formatDuration, shortId } from '../state/format.js'
import { Button } from './button.js'
import { Choice } from './choice.js'
import { Link } from './link.js'
import { useShortcuts } from './shortcuts.js'

const MODES = ['live', 'paused', 'on-poll']
const SPEEDS = [0.1, 0.5, 1, 2, 5, 10, 60, 600, 3_600]
const STEPS = { '+1 m': '1m', '+1 h': '1h', '+24 h': '24h' }

/** The account's clock and everything that moves it. */
export const ClockBar = () => {
  const reading = clock.value
  useShortcuts([
    { keys: 'n', label: 'clock to the next moment', run: () => advanceTo('next') },
    { keys: 'N', label: 'clock on until idle', run: () => advanceTo('idle') },
  ])
  if (reading === undefined) return <div class="clock quiet">no account yet</div>
  const now = accountNow()
  const next = reading.next === null ? undefined : Date.parse(reading.next)
  return (
    <div class="clock">
      <div class="clock-face" aria-live="off">
        <span class="quiet">{dateOf(now)}</span> <strong>{clockTime(now)}</strong> UTC
      </div>
      <ClockMode mode={reading.mode} speed={reading.speed} />
      <div class="buttons">
        <Button
          class="next"
          isDisabled={isMoving.value || isLost.value || next === undefined}
          onClick={() => session.advance({ to: 'next' })}
          title={next === undefined ? 'Nothing is left to happen' : 'Move the clock to the next moment (n)'}
        >
          {next === undefined ? 'nothing next' : `next · ${formatDuration(Math.max(0, next - now))}`}
        </Button>
        {Object.entries(STEPS).map(([label, by]) => (
          <Button
            key={by}
            isDisabled={isMoving.value || isLost.value}
            onClick={() => session.advance({ by })}
          >
            {label}
          </Button>
        ))}
        <Button
          isDisabled={isMoving.value || isLost.value || next === undefined}
          onClick={() => session.advance({ to: 'idle' })}
          title="Move the clock until nothing is left to happen (N)"
        >
          until idle
        </Button>
      </div>
      <LastMove />
    </div>
  )
}

const advanceTo = (to: 'next' | 'idle'): void => runAction(() => session.advance({ to }))

const ClockMode = ({ mode, speed }: Pick<ClockReading, 'mode' | 'speed'>) => {
  const change = (input: ClockChange): void => runAction(() => session.changeClock(input))
  const speeds = [...new Set([...SPEEDS, speed])].sort((a, b) => a - b)
  return (
    <>
      <Choice
        label="Mode of the clock"
        value={mode}
        options={MODES}
        onChange={(chosen) => change({ mode: chosen as ClockReading['mode'] })}
      />
      {mode === 'live' && (
        <Choice
          label="Speed of the clock"
          value={String(speed)}
          options={speeds.map((option) => [String(option), `${option}×`])}
          onChange={(chosen) => change({ speed: Number(chosen) })}
        />
      )}
    </>
  )
}

/** Events of a move that its tooltip names; two of them are beside its times. */
const MAX_TOLD = 20

/** From where to where the clock has moved, and what happened on the way. */
const LastMove = () => {
  const move = lastMove.value
  if (move === undefined) return <output class="last-move" />
  const { now, happened, totals, ended } = move.advanced
  const total = totals.task + totals.asset + totals.callback
  const isSameDay = dateOf(move.from) === dateOf(now)
  const hasMs = isSameDay && clockTime(move.from) === clockTime(now)
  const texts = happened.slice(0, MAX_TOLD).map(({ id, detail }) => `${shortId(id)} ${detail}`)
  const more = total > texts.length ? `\nand ${total - texts.length} more` : ''
  return (
    <output class="last-move quiet" title={texts.join('\n') + more}>
      {clockTime(move.from, hasMs)} → {isSameDay ? '' : `${dateOf(now)} `}
      {clockTime(now, hasMs)} ·{' '}
      {total === 0 && ended.total > 0 ? '' : `${total === 0 ? 'nothing' : total} happened`}
      {total > 0 && `: ${texts.slice(0, 2).join(', ')}${total > 2 ? ' …' : ''}`}
      {ended.total > 0 && (
        <>
          {total > 0 && ' · '}
          <Link to={{ view: 'results' }}>{countOf(ended.total, 'URL')} ended</Link>
        </>
      )}
    </output>
  )
}
