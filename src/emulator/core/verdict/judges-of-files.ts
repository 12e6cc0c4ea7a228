import type { JudgedCall } from './facts.js'
import { changes } from './faults.js'
import { groupsOf, idsOf, type Judge } from './judge.js'
import { MATCHER_AGENT } from './kinds.js'

export const fetchedTwice: Judge = ({ calls, isWhole }) => {
  const whole = calls.filter(
    (call) =>
      isWhole(call) &&
      call.status === 200 &&
      // Of a slow one it is not known whether its client has waited for the end.
      !changes(call.acted, /^transport\./) &&
      call.entry.headers['user-agent'] !== MATCHER_AGENT,
  )
  return groupsOf(whole, ({ request }) => request)
    .filter(({ length }) => length > 1)
    .map((fetched) => ({
      message: `A result of ${fetched[0]?.task} was downloaded whole ${fetched.length} times.`,
      calls: idsOf(fetched),
    }))
}

export const keptDamagedFile: Judge = ({ calls, keptDamaged }) =>
  keptDamaged(calls).map((call) => ({
    message: `The file of ${call.task} that was downloaded last was damaged${damageOf(call)}, and it was not fetched again.`,
    calls: idsOf([call]),
  }))

export const keptOtherFile: Judge = ({ calls, keptOther }) =>
  keptOther(calls).map((call) => ({
    message: `The file of ${call.task} that was downloaded last is not what was ordered${damageOf(call)}, and it was not fetched again.`,
    calls: idsOf([call]),
  }))

const damageOf = ({ connection, acted }: JudgedCall): string => {
  if (connection === 'cut-off') return ' (the connection ended within it)'
  const effects = acted?.effects.filter((name) => name.startsWith('result.')) ?? []
  return ` (by the scenario: ${effects.join(', ')})`
}
