import { listOf } from '../match.js'
import type { Step } from '../schema.js'
import { onlyOne } from './effect.js'

const deliveryOnly = ['copies', 'afterNext', 'brokenBody'] as const

/** What cannot be together in a message to a receiver. */
export const callbackComplaints = ({ when, then: { callback } }: Pick<Step, 'when' | 'then'>): string[] => {
  if (callback === undefined || when.callback === undefined) return []
  const isChallenge = when.callback === 'challenge'
  const others = Object.keys(callback).filter((key) => key !== 'never')
  const statuses = typeof when.callback === 'object' ? listOf(when.callback.status) : undefined
  return [
    ...(Object.keys(callback).length === 0 ? ['callback names what happens to the message'] : []),
    ...(callback.never
      ? others.map((other) => `never and ${other} cannot be together: nothing is sent`)
      : []),
    ...(callback.challenge !== undefined && !isChallenge
      ? ['challenge is for when.callback: challenge']
      : []),
    ...(isChallenge
      ? deliveryOnly.filter((name) => callback[name] !== undefined).map((name) => `${name} is for deliveries`)
      : []),
    ...onlyOne(callback, ['beforeAnswer', 'late'], 'it comes too early or too late'),
    ...onlyOne(callback, ['beforeAnswer', 'afterNext'], 'it comes too early or too late'),
    ...(callback.evenIfDeleted && callback.late === undefined
      ? ['evenIfDeleted is for late deliveries, since a task can only be deleted before those']
      : []),
    ...(callback.beforeAnswer &&
    statuses !== undefined &&
    !statuses.some((one) => one === 'queued' || one === 'pending')
      ? ['beforeAnswer is for what is sent when a task is made: the challenge, or the status queued']
      : []),
  ]
}
