import { z } from 'zod'
import type { State } from '../../emulator/surface/records.js'
import {
  type CoverageKind,
  coverageKinds,
  type Hits,
  isHit,
  nameOf,
  type PointFamily,
  type PointOperation,
  type PointRule,
  type PointSpec,
} from './spec.js'

/** Zod schema of a point: something that tests can cover. */
export const pointSchema = z.strictObject({
  kind: z.enum(coverageKinds),
  item: z.string(),
  missing: z.string().describe('a sentence'),
  remedy: z.string().describe('what closes it'),
})
export type Point = z.output<typeof pointSchema>

const FETCH = 'await fetch(url) of a result'
const ASK = ', and ask again'

const point = (kind: CoverageKind, item: string, missing: string, remedy: string): Point => {
  return { kind, item, missing, remedy }
}

/** The families of which tests called an operation; the points of the others do not count. */
export const usedFamilies = ({ families, operations }: PointSpec, hits: Hits): readonly PointFamily[] => {
  const called = operations.filter(({ id }) => isHit(hits, 'operations', id))
  return families.filter(({ id }) => called.some(({ family }) => family === id))
}

/** Coverage points of these families, in the order of reports. */
export const pointsOf = (spec: PointSpec, families: readonly PointFamily[], hits: Hits): Point[] => {
  const ids = families.length === 0 ? [] : [...families.map(({ id }) => id), 'results']
  const operations = spec.operations.filter(({ family }) => ids.includes(family))
  const rules = rulesOf(operations).filter((rule) => wasSent(hits, rule))
  return [
    ...operations.map(({ id, route: { method, path } }) => {
      const call = `fetch(\`\${emulator.url}${path}\`, { method: '${method}', headers })`
      const remedy = id === 'results.download' ? FETCH : call
      return point('operations', id, `No test calls ${id}.`, remedy)
    }),
    ...rules.flatMap((rule) => [keptPoint(rule), brokenPoint(rule)]),
    ...families.flatMap((family) => errorPoints(spec, family)),
    ...families.flatMap(({ id, states }) =>
      states.map((status) => {
        const missing = `No test sees a task of ${id} ${status}.`
        return point('statuses', `${id}/${status}`, missing, statusRemedy(status, states))
      }),
    ),
    ...families.flatMap(transitionPoints),
    ...families.flatMap(callbackPoints),
    ...(families.length === 0 ? [] : resultPoints),
    ...rules.filter((rule) => LIMITS.includes(nameOf(rule.id))).map(limitPoint),
    ...Object.keys(hits.scenarios).map((item) => {
      const missing = `Step ${item.split('#')[1]} of the scenario ${item.split('#')[0]} never acts.`
      return point('scenarios', item, missing, 'await emulator.scenario.steps() says what it wants')
    }),
  ]
}

/** Whether a rule is about no field, or about one that a call has had: what a client never sends is no gap of its tests. */
const wasSent = (hits: Hits, { id, field }: PointRule): boolean =>
  field === undefined || [`${id}:kept`, `${id}:broken`].some((item) => Object.hasOwn(hits.rules, item))

type RuleOf = PointRule & { readonly operation: string }

/** Rules of operations, each once: named with the first operation that has it, in the place of the last. */
const rulesOf = (operations: readonly PointOperation[]): RuleOf[] => {
  const all = operations.flatMap(({ id, rules }) => rules.map((rule) => ({ ...rule, operation: id })))
  return [...new Map(all.toReversed().map((rule) => [rule.id, rule])).values()].reverse()
}

const keptPoint = ({ id, field, place, sentence, operation }: RuleOf): Point => {
  if (field === undefined)
    return point('rules', `${id}:kept`, `No call keeps the rule ${id}: ${sentence}`, `see ${place}`)
  const missing = `No call of ${operation} has a good \`${field}\` (${id}).`
  return point('rules', `${id}:kept`, missing, `send \`${field}\`: ${sentence}`)
}

const brokenPoint = (rule: RuleOf): Point => {
  const missing = `No call of ${rule.operation} breaks the rule ${rule.id}: ${rule.sentence}`
  const remedy = remedies[nameOf(rule.id)] ?? `send a call that does; see ${rule.place}`
  return point('rules', `${rule.id}:broken`, missing, remedy)
}

/** How to break rules that are about no field of a body. */
const remedies: Readonly<Record<string, string>> = {
  credentials: 'send `Authorization: Bearer invalid-key`',
  'rate-limit': 'await emulator.change({ limits: { requestsPerMinute: 1 } }), and create twice',
  'tasks-in-flight': 'await emulator.change({ limits: { tasksInFlight: 1 } }), and create twice',
  'images-within-quota': 'await emulator.change({ limits: { imageQuota: 0 } })',
  'balance-is-positive': 'await emulator.change({ balance: 0 })',
  'account-has-agreed': 'await emulator.change({ agreementAccepted: false })',
  'prompt-passes-moderation': "send a prompt with '[[moderation]]'",
  'task-exists': 'ask for a task that there is not',
  'not-expired': `await emulator.clock.advance('15d')${ASK}`,
  'body-is-json': "send the body '{'",
}

const errorPoints = ({ operations }: PointSpec, { id, errors, states, makes }: PointFamily): Point[] => {
  const own = operations.filter(({ family }) => family === id)
  return errors.map((error) => {
    const fails = states.length > 0 && /Output|Expired|internal/i.test(error)
    // Clients meet most errors in the answer to a create; a few only in that to a query or a cancellation.
    const giving = own.filter(({ possibleErrors }) => possibleErrors.includes(error)).map((one) => one.id)
    const operation = giving.find((name) => name === makes) ?? giving[0] ?? `${id}.*`
    const remedy = fails
      ? `await emulator.tasks.fail(id, '${error}')${ASK}`
      : `await emulator.fail('${operation}', { error: '${error}' })`
    return point('errors', `${id}/${error}`, `No test sees the error ${error} of ${id}.`, remedy)
  })
}

const PAUSED = "useEmulator({ clock: 'paused' }), and ask before the clock moves"
/** How to make a task expire, with the steps after its create. */
const expiring = (...between: string[]): string =>
  [
    "await emulator.scenario.play('runs-for-ever') before the create",
    ...between,
    `then await emulator.clock.advance('48h')${ASK}`,
  ].join('; ')
const statusRemedies: Readonly<Record<State, string>> = {
  pending: PAUSED,
  queued: PAUSED,
  running: 'ask for the task until it runs',
  succeeded: `await emulator.clock.advance('1h')${ASK}`,
  failed: `await emulator.tasks.fail(id)${ASK}`,
  cancelled: `await emulator.tasks.force(id, 'cancelled')${ASK}`,
  expired: expiring(),
}
const NEXT = `await emulator.clock.advance({ to: 'next' })${ASK}`
const statusRemedy = (status: State, states: readonly State[]): string =>
  // Of a family that has both, a task is pending first.
  status === 'queued' && states.includes('pending') ? `${PAUSED}; then ${NEXT}` : statusRemedies[status]

/** State transitions of a task that a client can see: its state before and after. */
const transitions: readonly (readonly [from: State, to: State])[] = [
  ['pending', 'queued'],
  ['queued', 'running'],
  ['queued', 'cancelled'],
  ['running', 'succeeded'],
  ['running', 'failed'],
  ['running', 'expired'],
]

const transitionPoints = ({ id, states, canCancel }: PointFamily): Point[] =>
  transitions
    .filter(([from, to]) => states.includes(from) && states.includes(to) && (to !== 'cancelled' || canCancel))
    .map(([from, to]) => {
      const first = from === 'running' ? 'ask while it runs' : statusRemedy(from, states)
      const then = to === 'queued' || to === 'running' ? NEXT : statusRemedies[to]
      const missing = `No test follows a task of ${id} from ${from} to ${to}.`
      const remedy = to === 'expired' ? expiring(first) : `${first}; then ${then}`
      return point('transitions', `${id}/${from}>${to}`, missing, remedy)
    })

const callbackPoints = ({ id, states, callback }: PointFamily): Point[] => {
  if (callback === undefined) return []
  const callbackPoint = (item: string, missing: string, remedy: string) =>
    point('callbacks', `${id}/${item}`, missing, remedy)
  const address = "send `callback_url: emulator.inbox('hook').url`"
  const playLine = (scenario: string) => `await emulator.scenario.play('${scenario}')`
  return [
    ...(callback.handshake
      ? [callbackPoint('challenge', `No receiver passes the challenge of ${id}.`, address)]
      : []),
    ...states.map((status) => {
      const comesAlone = ['queued', 'running', 'succeeded'].includes(status)
      const change = statusRemedies[status].replace(ASK, '')
      const later = status === 'expired' ? expiring(address) : `${address}; ${change}`
      const remedy = comesAlone ? address : later
      return callbackPoint(status, `No receiver hears that a task of ${id} is ${status}.`, remedy)
    }),
    callbackPoint('duplicate', `No callback of ${id} comes twice.`, playLine('callback-twice')),
    callbackPoint('late', `No callback of ${id} comes late.`, playLine('callback-late')),
    callbackPoint('refused', `No receiver refuses a callback of ${id}.`, 'answer a callback with 500 once'),
  ]
}

const EXPIRE = "await emulator.clock.advance('15d'), or await emulator.scenario.play('result-expired')"
const RANGE = "await fetch(url, { headers: { Range: 'bytes=0-99' } })"
const resultPoints: readonly Point[] = [
  point('results', 'fetched', 'No test fetches a result.', FETCH),
  point('results', 'expired', 'No test meets a result URL that has expired.', EXPIRE),
  point('results', 'range', 'No test asks for a part of a result.', RANGE),
  point('results', 'head', 'No test asks for the head of a result.', "await fetch(url, { method: 'HEAD' })"),
]

/** Rules that are limits of an account or of a body: meeting one is its refusal. */
const LIMITS = ['rate-limit', 'tasks-in-flight', 'images-within-quota', 'balance-is-positive', 'body-size']

const limitPoint = (rule: RuleOf): Point => {
  const remedy = remedies[nameOf(rule.id)] ?? `send a call that meets it; see ${rule.place}`
  return point('limits', rule.id, `No test meets the limit ${rule.id}: ${rule.sentence}`, remedy)
}

/** Whether a point was covered. A limit is met where its rule was broken. */
export const isCovered = (hits: Hits, { kind, item }: Point): boolean =>
  kind === 'limits' ? isHit(hits, 'rules', `${item}:broken`) : isHit(hits, kind, item)
