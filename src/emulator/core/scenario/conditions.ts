import type { MatchTrace, Reason } from '../model/account.js'
import { formatDuration } from '../schedule/time.js'
import { either, subject, wantedCount, wantedPrompt } from './explain.js'
import type { ScenarioMatch } from './match.js'
import type { Scenario, Step } from './schema.js'
import { asList } from './selector.js'

/** Condition of a step of a scenario, as it stood when a call was matched. */
interface Condition {
  /** In words: `the model gamma-H3`, `the third b-video-task.create`. */
  readonly says: string
  /** Null: it was not looked at, since one before it did not hold. */
  readonly holds: boolean | null
}

/** The conditions of every step that was about a call and did not act on it, in the order in which they are looked at. */
export const nearMissConditions = ({ traces }: ScenarioMatch) =>
  traces.flatMap(({ scenario, trace }) =>
    scenario.steps.flatMap((_, index) => {
      const verdict = trace.verdicts[index] ?? null
      if (verdict === null || verdict === 'acted') return []
      const conditions = conditionsOf(scenario, trace, index, verdict)
      return [{ scenario: scenario.name, step: index + 1, conditions }]
    }),
  )

const conditionsOf = (
  scenario: Scenario,
  { elapsed }: MatchTrace,
  index: number,
  failed: Reason,
): readonly Condition[] => {
  const { when, times } = scenario.steps[index] as Step
  const { model, account, method, header, prompt, nth, first, after, every, from, until, probability } = when
  const hasCount = [nth, first, after, every].some((value) => value !== undefined)
  const wanted: readonly (readonly [Reason | undefined, string | false | undefined])[] = [
    [undefined, subject({ ...when, model: undefined }, 'a')],
    ['model', model !== undefined && `the model ${either(asList(model))}`],
    ['account', account !== undefined && `the account ${either(asList(account))}`],
    ['method', method !== undefined && `the method ${method}`],
    ['header', header !== undefined && `the header ${header}`],
    ['prompt', prompt !== undefined && `a prompt ${wantedPrompt(prompt)}`],
    ['status', failed === 'status' && 'that status of the callback'],
    ['times', times !== undefined && `not more than ${times === 1 ? 'once' : `${times} times`}`],
    ['count', hasCount && wantedCount(when)],
    ['before', from !== undefined && `from ${formatDuration(from)} after the start on`],
    ['after', until !== undefined && `until ${formatDuration(until)} after the start`],
    ['chance', probability !== undefined && `the probability ${probability}`],
    ['earlier', failed === 'earlier' && 'no step before it acts'],
    ['refused', failed === 'refused' && 'the call is not refused'],
  ]
  const conditions = wanted.filter((row): row is readonly [Reason | undefined, string] => Boolean(row[1]))
  const failedAt = conditions.findIndex(([reason]) => reason === failed)
  const isOfTime = failed === 'before' || failed === 'after'
  return conditions.map(([, says], at) => ({
    says: isOfTime && at === failedAt ? `${says}, and this was at ${formatDuration(elapsed)}` : says,
    holds: at === failedAt ? false : at < failedAt ? true : null,
  }))
}
