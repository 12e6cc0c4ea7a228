import type { CallbackRecord } from '../model/account.js'
import { textAt } from '../request.js'
import { wasAccepted } from './facts.js'
import { changes, isRefusedCallback } from './faults.js'
import { groupsOf, isRead, type Judge } from './judge.js'

export const callbackNotAnswered: Judge = ({ callbacks }) =>
  groupsOf(callbacks.filter(isUnanswered), ({ taskId }) => taskId).map((unanswered) => {
    const [{ taskId, attempts }] = unanswered as [CallbackRecord]
    const last = attempts.at(-1)
    const why = last?.error ?? `The receiver answered ${last?.status}.`
    const about = unanswered.map(({ status, kind }) => status ?? kind).join(', ')
    const message = `Callbacks of ${taskId} were not accepted: ${about}. ${why}`
    return { message, calls: unanswered.map(({ id }) => id) }
  })

const isUnanswered = ({ attempts, state, scenario }: CallbackRecord): boolean => {
  const last = attempts.at(-1)
  const isAnswered = last?.status !== undefined && last.status >= 200 && last.status < 300
  const isRefused =
    last !== undefined && last.outcome !== 'refused-address' && !(isAnswered && state !== 'failed')
  return isRefusedCallback({ isRefused, acted: scenario?.acted ?? undefined })
}

const finalWords = ['succeeded', 'completed', 'failed', 'cancelled', 'expired']

export const believedCallback: Judge = ({ callbacks, calls }) =>
  callbacks.flatMap((callback) => {
    const { id, taskId, status, body, attempts, scenario } = callback
    const said = textAt(body, ['status']) ?? textAt(body, ['task', 'status']) ?? ''
    const isFalse =
      changes(scenario?.acted ?? undefined, /^callback\.(status|set|move)$/) &&
      finalWords.includes(said) &&
      said !== status
    const at = attempts.at(-1)?.at
    if (!isFalse || !wasAccepted(callback) || at === undefined) return []
    const isChecked = calls.some(
      (call) =>
        call.at >= at && (call.operation?.endsWith('.list') || (call.task === taskId && isRead(call))),
    )
    if (isChecked) return []
    const message = `A callback said that ${taskId} is ${said} while a query would have answered ${status}, and no query followed.`
    return [{ message, calls: [id] }]
  })
