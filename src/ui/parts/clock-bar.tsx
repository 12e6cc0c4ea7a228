import type { Advanced, ClockChange, ClockReading } from '../../generated/control-api.js'
import { accountNow, clock, isLost, isMoving, lastMove, runAction, session } from '../app.js'
import { clockGoal } from '../state/clock-goal.js'
import { clockTime, countOf, dateAndTime, dateOf, formatDuration, shortId } from '../state/format.js'
import { Button } from './button.js'
import { Choice } from './choice.js'
import { Link } from './link.js'
import { useShortcuts } from './shortcuts.js'
import { submitForm } from './submit-form.js'

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
  if (reading === undefined) return <div class="clock" />
  const now = accountNow()
  const next = reading.next === null ? undefined : Date.parse(reading.next)
  return (
    <div class="clock">
      <div class="clock-face" aria-live="off">
        <span class="quiet">{dateOf(now)}</span> <strong>{clockTime(now)}</strong>{' '}
        <span class="wide-only">UTC</span>
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
      <GoalField />
    </div>
  )
}

/** Field of a time or a duration to which the clock is moved. */
const GoalField = () => (
  <form
    class="clock-goal"
    onSubmit={(event) => {
      if (isMoving.value || isLost.value) return event.preventDefault()
      submitForm(event, async (fields) =>
        session.advance(clockGoal(String(fields.get('goal') ?? ''), accountNow())),
      )
    }}
  >
    <input
      name="goal"
      required
      autocomplete="off"
      aria-label="Move the clock to a time, or by a duration"
      title="A duration (14d, 1h 30m), a time (18:00) or a date (2026-01-15 12:00), in UTC. Enter moves the clock."
      placeholder="to… 14d, 18:00"
    />
  </form>
)

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

/** Events of a move that are listed; two of them stand beside its times. */
const MAX_TOLD = 50

/** From where to where the clock has moved, what happened on the way and what ended, with links to it. */
export const LastMove = () => {
  const move = lastMove.value
  if (move === undefined) return <output class="last-move" />
  const { now, happened, totals, ended } = move.advanced
  const total = totals.task + totals.asset + totals.callback
  const isSameDay = dateOf(move.from) === dateOf(now)
  const hasMs = isSameDay && clockTime(move.from) === clockTime(now)
  const texts = happened.slice(0, 2).map(({ id, detail }) => `${shortId(id)} ${detail}`)
  return (
    <div class="last-move">
      <output>
        {clockTime(move.from, hasMs)} → {isSameDay ? '' : `${dateOf(now)} `}
        {clockTime(now, hasMs)} ·{' '}
        {total === 0 && ended.total > 0 ? '' : `${total === 0 ? 'nothing' : total} happened`}
        {total > 0 && `: ${texts.join(', ')}${total > 2 ? ' …' : ''}`}
        {total > 0 && ended.total > 0 && ' · '}
        {ended.total > 0 && `${countOf(ended.total, 'URL')} ended`}
      </output>
      {total + ended.total > 0 && <MoveDetails key={`${move.from} ${now}`} advanced={move.advanced} />}
    </div>
  )
}

/** Everything that a move has brought, each with a link. */
const MoveDetails = ({ advanced: { happened, totals, ended } }: { advanced: Advanced }) => {
  const more = totals.task + totals.asset + totals.callback - Math.min(happened.length, MAX_TOLD)
  const moreEnded = ended.total - Math.min(ended.urls.length, MAX_TOLD)
  return (
    <details class="move-details">
      <summary>all of it</summary>
      <ul>
        {happened.slice(0, MAX_TOLD).map(({ at, kind, id, detail }) => (
          <li key={`${at} ${id} ${detail}`}>
            <time>{clockTime(at, true)}</time>{' '}
            {kind === 'asset' ? id : <Link to={placeOf(kind, id)}>{id}</Link>} {detail}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
        {ended.urls.slice(0, MAX_TOLD).map(({ at, task, index }) => (
          <li key={`${task} ${index}`}>
            <time>{dateAndTime(at)}</time> the URL of{' '}
            <Link to={{ view: 'results', id: `${task}.${index}` }}>
              {task}, file {index + 1}
            </Link>{' '}
            ended
          </li>
        ))}
        {moreEnded > 0 && (
          <li>
            and <Link to={{ view: 'results' }}>{moreEnded} more URLs</Link>
          </li>
        )}
      </ul>
    </details>
  )
}

const placeOf = (kind: 'task' | 'callback', id: string) => ({
  view: kind === 'task' ? 'timeline' : 'callbacks',
  id,
})
