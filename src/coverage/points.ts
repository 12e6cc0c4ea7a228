import { type CoverageKind, type Hits, isHit } from './hits.js'
import type { CoverageSpec, CoveredFamily, CoveredOperation, CoveredRule } from './spec.js'

/** Point: something that tests can cover. */
export interface Point {
  readonly kind: CoverageKind
  readonly item: string
  /** What no test does while it is not covered, as a sentence: "No test sees a task expire." */
  readonly missing: string
  /** What closes it: a line of code, a command, or a place to read. */
  readonly remedy: string
}

/** The families of which tests called an operation; the points of the others do not count. */
export const usedFamilies = (spec: CoverageSpec, hits: Hits): readonly CoveredFamily[] =>
  spec.families.filter(({ id }) =>
    [...spec.operations.values()].some(
      (operation) => operation.family === id && isHit(hits, 'operations', operation.id),
    ),
  )

/** Every point that tests of these families can cover, in the order of reports. */
export const pointsOf = (spec: CoverageSpec, families: readonly CoveredFamily[], hits: Hits): Point[] => {
  const ids = new Set([...families.map(({ id }) => id), ...(families.length > 0 ? ['results'] : [])])
  const operations = [...spec.operations.values()].filter(({ family }) => ids.has(family))
  return [
    ...operations.map(operationPoint),
    ...rulePoints(operations),
    ...families.flatMap(errorPoints),
    ...families.flatMap(statusPoints),
    ...families.flatMap(transitionPoints),
    ...families.flatMap(callbackPoints),
    ...(families.length > 0 ? resultPoints : []),
    ...limitPoints(operations),
    ...Object.keys(hits.scenarios).map(stepPoint),
  ]
}

const operationPoint = ({ id, route: { method, path } }: CoveredOperation): Point => ({
  kind: 'operations',
  item: id,
  missing: `No test calls ${id}.`,
  remedy: `fetch(\`\${emulator.url}${path}\`, { method: '${method}', headers })`,
})

const rulePoints = (operations: readonly CoveredOperation[]): Point[] =>
  rulesOf(operations).flatMap(({ rule, operation }) => [
    keptPoint(rule, operation),
    brokenPoint(rule, operation),
  ])

/** The rules of operations, each once, with the first operation that has it. */
const rulesOf = (operations: readonly CoveredOperation[]) => {
  const all = operations.flatMap(({ id, rules }) => rules.map((rule) => ({ rule, operation: id })))
  return [...new Map(all.toReversed().map((one) => [one.rule.id, one])).values()].reverse()
}

const keptPoint = ({ id, field, place, sentence }: CoveredRule, operation: string): Point => ({
  kind: 'rules',
  item: `${id}:kept`,
  missing:
    field === undefined
      ? `No call keeps the rule ${id}: ${sentence}`
      : `No call of ${operation} has a good \`${field}\` (${id}).`,
  remedy: field === undefined ? `see ${place}` : `send \`${field}\`: ${sentence}`,
})

const brokenPoint = (rule: CoveredRule, operation: string): Point => ({
  kind: 'rules',
  item: `${rule.id}:broken`,
  missing: `No call of ${operation} breaks the rule ${rule.id}: ${rule.sentence}`,
  remedy: remedies[nameOf(rule)] ?? `send a call that does; see ${rule.place}`,
})

/** What breaks rules that no field of a body is about. */
const remedies: Readonly<Record<string, string>> = {
  credentials: 'send `Authorization: Bearer invalid-key`',
  'rate-limit': 'await emulator.change({ limits: { requestsPerMinute: 1 } })',
  'tasks-in-flight': 'await emulator.change({ limits: { tasksInFlight: 1 } })',
  'images-within-quota': 'await emulator.change({ limits: { imageQuota: 0 } })',
  'balance-is-positive': 'await emulator.change({ balance: 0 })',
  'account-has-agreed': 'await emulator.change({ agreementAccepted: false })',
  'prompt-passes-moderation': "send a prompt with '[[moderation]]'",
  'task-exists': 'ask for a task that there is not',
  'not-expired': "await emulator.clock.advance('15d')",
  'body-is-json': "send the body '{'",
  strict: 'start the emulator with { strict: true } and send an unknown field',
  'room-for-task': 'start the emulator with { tasksPerAccount: 1 }',
}

const errorPoints = ({ id, errors, states }: CoveredFamily): Point[] =>
  Object.keys(errors).map((error) => ({
    kind: 'errors',
    item: `${id}/${error}`,
    missing: `No test sees the error ${error} of ${id}.`,
    remedy:
      states.length > 0 && /Output|Expired|internal/i.test(error)
        ? `await emulator.tasks.fail(id, '${error}')`
        : `await emulator.fail('${id}.${id === 'd-assets' ? 'upload' : 'create'}', { error: '${error}' })`,
  }))

const statusRemedies: Readonly<Record<string, string>> = {
  pending: "useEmulator({ clock: 'paused' }), and ask before the clock moves",
  queued: "useEmulator({ clock: 'paused' }), and ask before the clock moves",
  running: 'ask for the task until it runs',
  succeeded: "await emulator.clock.advance('1h'), and ask again",
  failed: 'await emulator.tasks.fail(id)',
  cancelled: "await emulator.tasks.force(id, 'cancelled')",
  expired:
    "await emulator.scenario.play('runs-for-ever') before the create, then await emulator.clock.advance('48h')",
}

const statusPoints = ({ id, states }: CoveredFamily): Point[] =>
  states.map((status) => ({
    kind: 'statuses',
    item: `${id}/${status}`,
    missing: `No test sees a task of ${id} ${status}.`,
    remedy: statusRemedies[status] ?? '',
  }))

/** The steps of a task's life that a client can see: what it was before, and what it is then. */
const transitions = [
  ['pending', 'queued'],
  ['queued', 'running'],
  ['queued', 'cancelled'],
  ['running', 'succeeded'],
  ['running', 'failed'],
  ['running', 'expired'],
] as const

const transitionPoints = ({ id, states, canCancel }: CoveredFamily): Point[] =>
  transitions
    .filter(([from, to]) => states.includes(from) && states.includes(to))
    .filter(([, to]) => to !== 'cancelled' || canCancel)
    .map(([from, to]) => ({
      kind: 'transitions',
      item: `${id}/${from}>${to}`,
      missing: `No test follows a task of ${id} from ${from} to ${to}.`,
      remedy: `${from === 'running' ? 'ask while it runs' : statusRemedies[from]}; then ${to === 'running' ? "await emulator.clock.advance({ to: 'next' })" : statusRemedies[to]}`,
    }))

const callbackPoints = ({ id, states, callbacks }: CoveredFamily): Point[] => {
  if (callbacks === 'none') return []
  const point = (item: string, missing: string, remedy: string): Point => ({
    ...{ kind: 'callbacks', item: `${id}/${item}` },
    ...{ missing, remedy },
  })
  const address = "send `callback_url: emulator.inbox('hook').url`"
  return [
    ...(callbacks === 'with-challenge'
      ? [point('challenge', `No receiver passes the challenge of ${id}.`, address)]
      : []),
    ...states.map((status) =>
      point(
        status,
        `No receiver hears that a task of ${id} is ${status}.`,
        ['queued', 'running', 'succeeded'].includes(status)
          ? address
          : `${address}; ${statusRemedies[status]}`,
      ),
    ),
    point('duplicate', `No callback of ${id} comes twice.`, "await emulator.scenario.play('callback-twice')"),
    point('late', `No callback of ${id} comes late.`, "await emulator.scenario.play('callback-late')"),
    point('refused', `No receiver refuses a callback of ${id}.`, 'answer a callback with 500 once'),
  ]
}

const resultPoints: readonly Point[] = [
  { item: 'fetched', missing: 'No test fetches a result.', remedy: 'await fetch(url)' },
  {
    item: 'expired',
    missing: 'No test meets a result URL that has expired.',
    remedy: "await emulator.clock.advance('15d'), or await emulator.scenario.play('result-expired')",
  },
  {
    item: 'range',
    missing: 'No test asks for a part of a result.',
    remedy: "await fetch(url, { headers: { Range: 'bytes=0-99' } })",
  },
  {
    item: 'head',
    missing: 'No test asks for the head of a result.',
    remedy: "await fetch(url, { method: 'HEAD' })",
  },
].map((point) => ({ kind: 'results', ...point }))

/** Rules that are limits of an account or of a body: meeting one is its refusal. */
const LIMITS = [
  ...['rate-limit', 'tasks-in-flight', 'images-within-quota', 'balance-is-positive'],
  ...['body-size', 'assets-most', 'assets-bytes', 'room-for-task'],
]

const limitPoints = (operations: readonly CoveredOperation[]): Point[] =>
  rulesOf(operations)
    .filter(({ rule }) => LIMITS.includes(nameOf(rule)))
    .map(({ rule }) => ({
      kind: 'limits',
      item: rule.id,
      missing: `No test meets the limit ${rule.id}: ${rule.sentence}`,
      remedy: remedies[nameOf(rule)] ?? `send a call that meets it; see ${rule.place}`,
    }))

/** Id of a rule without its family. */
const nameOf = ({ id }: CoveredRule): string => id.slice(id.indexOf('.') + 1)

const stepPoint = (item: string): Point => {
  const [scenario = '', step = ''] = item.split('#')
  return {
    kind: 'scenarios',
    item,
    missing: `Step ${step} of the scenario ${scenario} never acts.`,
    remedy: `await emulator.scenario.steps() says what it wants`,
  }
}

/** Whether a point was covered. A limit is met where its rule was broken. */
export const isCovered = (hits: Hits, { kind, item }: Point): boolean =>
  kind === 'limits' ? isHit(hits, 'rules', `${item}:broken`) : isHit(hits, kind, item)
