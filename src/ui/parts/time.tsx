import { account, accountNow, wallNow } from '../app.js'
import { clockTime, dateAndTime, dateOf, relative, wallTime } from '../state/time.js'
import { CopyValue } from './copy.js'

/** A time of the account's clock, and how long ago that is. The date is shown where it is not today's. */
export const Time = ({ at }: { at: string }) => {
  const now = accountNow()
  const isToday = at.slice(0, 10) === new Date(now).toISOString().slice(0, 10)
  return (
    <span class="time">
      <time dateTime={at} title={at}>
        {!isToday && <span class="date">{dateOf(at)} </span>}
        {clockTime(at)}
      </time>
      <span class="quiet ago">{relative(at, now)}</span>
    </span>
  )
}

/** A time three ways: on the account's clock, on this machine where the page saw it, and how long ago on each. */
export const FullTime = ({ at, requestId }: { at: string; requestId?: string }) => {
  const arrivedAt = requestId === undefined ? undefined : account.value.arrivedAt(requestId)
  return (
    <span class="full-time">
      <CopyValue value={at}>{dateAndTime(at)}</CopyValue>
      <span class="quiet"> on the account's clock, {relative(at, accountNow())}</span>
      {arrivedAt !== undefined && (
        <span class="quiet">
          {' '}
          · {wallTime(arrivedAt)} here, {relative(arrivedAt, wallNow.value)}
        </span>
      )}
    </span>
  )
}
