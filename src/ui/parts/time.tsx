import { account, accountNow, systemNow } from '../app.js'
import { clockTime, dateAndTime, dateOf, localTime, relativeTime } from '../state/format.js'
import { CopyValue } from './copy.js'

interface TimeProps {
  readonly at: string
  /** Whether a heading above it has its day; default: no. */
  readonly isBelowDay?: boolean
}

/** A time of the account's clock, and how long ago that is. The date is shown where it is not today's. */
export const Time = ({ at, isBelowDay = false }: TimeProps) => {
  const now = accountNow()
  const isToday = isBelowDay || dateOf(at) === dateOf(now)
  return (
    <span class="time">
      <time dateTime={at} title={at}>
        {!isToday && <span class="date">{dateOf(at)} </span>}
        {clockTime(at)}
      </time>
      <span class="quiet ago">{relativeTime(at, now)}</span>
    </span>
  )
}

/** A time three ways: on the account's clock, on this machine where the page saw it, and how long ago on each. */
export const FullTime = ({ at, requestId }: { at: string; requestId?: string }) => {
  const arrivedAt = requestId === undefined ? undefined : account.value.arrivedAt(requestId)
  return (
    <span>
      <CopyValue value={at}>{dateAndTime(at)}</CopyValue>
      <span class="quiet"> on the account's clock, {relativeTime(at, accountNow())}</span>
      {arrivedAt !== undefined && (
        <span class="quiet">
          {' '}
          · {localTime(arrivedAt)} here, {relativeTime(arrivedAt, systemNow.value)}
        </span>
      )}
    </span>
  )
}
