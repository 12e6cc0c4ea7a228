import { isRecord, type JournalEntry } from '../../emulator/surface/journal.js'
import type { Callback } from '../../emulator/surface/records.js'
import { errorOfTask, resultRules, tasksIn } from '../../emulator/surface/registry.js'
import { type Scenario, skipsDecision } from '../../emulator/surface/scenarios.js'
import {
  type AddHit,
  type CoverageSpec,
  type CoveredFamily,
  type CoveredOperation,
  createHitCounter,
  type Hits,
  nameOf,
  usualSpec,
} from './spec.js'

/** Coverage observer of one account: counts what its calls and callbacks cover. */
export interface CoverageObserver {
  /** Called with a scenario that begins: its steps are known, and covered once they act. */
  plays(scenario: Pick<Scenario, 'name' | 'steps'>): void
  call(entry: JournalEntry): void
  /** Called with a callback each time that an attempt has ended. */
  callback(callback: Callback): void
  /** What was covered so far. */
  readonly hits: Hits
}

/** Observer of an account that has covered nothing yet. */
export const createObserver = (
  { registry, families, operations }: CoverageSpec = usualSpec(),
): CoverageObserver => {
  const { add, hits } = createHitCounter()
  // The status of each task that the client saw last, and the items of callbacks that are counted already.
  const statuses = new Map<string, string>()
  const counted = new Set<string>()
  return {
    plays: ({ name, steps }) => steps.forEach((_, index) => void add('scenarios', `${name}#${index + 1}`, 0)),
    call: (entry) => {
      const operation = operations.find(({ id }) => id === entry.operation)
      if (operation === undefined) return
      add('operations', operation.id)
      countSteps(add, entry)
      // What no client has seen covers no more than that it was called.
      if (entry.answered?.broken === 'reset' || entry.answered?.broken === 'silent') return
      countRules(add, operation, entry)
      const family = families.find(({ id }) => id === operation.family)
      if (registry.fileOperations.includes(operation.id)) countResult(add, entry)
      if (family !== undefined) {
        countErrors(add, family, entry)
        countStatuses(add, statuses, family, entry)
      }
      // What a scenario has answered relies on none.
      if (entry.played?.step?.effects.answer !== undefined) return
      const { status, refusedBy } = entry
      for (const gap of registry.gapsBehind(operation.id, status, refusedBy[0]?.place)) add('gaps', gap)
    },
    callback: (callback) => {
      const { id, kind, task, attempts, scenario } = callback
      for (const item of itemsOfCallback(callback).filter((item) => !counted.has(`${id} ${item}`))) {
        counted.add(`${id} ${item}`)
        add('callbacks', `${task.family}/${item}`)
        const family = families.find(({ id }) => id === task.family)
        if (family !== undefined && item === callback.status) countMessage(add, statuses, family, callback)
      }
      const message = kind === 'challenge' ? 'challenge' : 'callback'
      if (attempts.length === 1)
        for (const gap of registry.gapsBehind(`${task.family}.${message}`, 200)) add('gaps', gap)
      const acted = scenario?.acted
      if (acted && attempts.length <= 1) add('scenarios', `${acted.scenario}#${acted.step}`)
    },
    hits,
  }
}

/** Steps of what plays, that of a header for one call included: those that act are covered. */
const countSteps = (add: AddHit, { played }: JournalEntry): void => {
  for (const { scenario, trace } of played?.traces ?? [])
    trace.verdicts.forEach((verdict, index) => {
      add('scenarios', `${scenario.name}#${index + 1}`, verdict === 'acted' ? 1 : 0)
    })
}

/**
 * Rules, each with two sides. The journal names the rules that refused a call. Rules are checked in stages and in order, so
 * those before the first refusal were kept; a rule about a field counts as kept by a call that has the field, and is known from the
 * first call that has it. What the job of an accepted upload checks follows from its file.
 */
const countRules = (add: AddHit, operation: CoveredOperation, entry: JournalEntry): void => {
  const { rules, checksAll } = operation
  const broken = new Set(entry.refusedBy.map(({ rule }) => listedRule(rule, rules)))
  for (const id of broken) if (id !== undefined) add('rules', `${id}:broken`)
  for (const { id, field } of rules)
    if (field !== undefined && hasField(entry, id, field)) add('rules', `${id}:kept`, 0)
  // An answer in place of the call: none of its rules was checked.
  if (skipsDecision(entry.played?.step?.effects.answer)) return
  const first = rules.findIndex(({ id }) => broken.has(id))
  const stage = rules[first]?.stage
  const isChecked = (index: number): boolean => {
    // Refused by a bound of the emulator, which is no rule of the list: none is known to have been checked.
    if (first < 0) return broken.size === 0
    if (index < first) return true
    const isBesides = stage === 'shape' || (stage === 'rule' && checksAll)
    return isBesides && rules[index]?.stage === stage
  }
  rules.forEach((rule, index) => {
    const { id, field, limit } = rule
    if (broken.has(id) || !isChecked(index)) return
    if (field !== undefined && !hasField(entry, id, field)) return
    const side = limit === undefined ? 'kept' : sideOfLimit(limit, entry)
    if (side !== undefined && isAsked(id, entry)) add('rules', `${id}:${side}`)
  })
}

/** Side of a limit on which the file of an upload is, or undefined where there is none that could be read, so that none is checked. */
const sideOfLimit = (
  { check }: CoveredLimit,
  { requestBody }: JournalEntry,
): 'kept' | 'broken' | undefined => {
  type Facts = Parameters<typeof check>[0]
  const form = requestBody as
    | { readonly files: readonly { readonly probe: Facts | Unreadable }[] }
    | undefined
  const probe = form?.files[0]?.probe
  if (probe === undefined || probe.kind === 'unreadable') return undefined
  return check(probe) === undefined ? 'kept' : 'broken'
}

type Unreadable = { readonly kind: 'unreadable' }
type CoveredLimit = NonNullable<CoveredOperation['rules'][number]['limit']>

/** The rule that is listed for one that the journal names: fields within a listed field have rules too. */
const listedRule = (rule: string, rules: CoveredOperation['rules']): string | undefined =>
  rules
    .filter(({ id }) => rule === id || rule.startsWith(`${id}.`) || rule.startsWith(`${id}[`))
    .sort((a, b) => b.id.length - a.id.length)[0]?.id

// Rules that concern only calls with a certain header, by their names without the family.
const askedBy: Readonly<Record<string, string>> = {
  [resultRules.range.id]: 'range',
  [resultRules.precondition.id]: 'if-match',
}

const isAsked = (id: string, { headers }: JournalEntry): boolean => {
  const header = askedBy[nameOf(id)]
  return header === undefined || headers[header] !== undefined
}

const hasField = (entry: JournalEntry, id: string, field: string): boolean =>
  id.includes('.list.')
    ? new URLSearchParams(entry.query).has(field)
    : hasPath(entry.requestBody, field.split('.'))

const hasPath = (value: unknown, [step, ...rest]: readonly string[]): boolean => {
  if (step === undefined) return value !== undefined
  const isList = step.endsWith('[]')
  const inner = isRecord(value) ? value[isList ? step.slice(0, -2) : step] : undefined
  if (!isList) return inner !== undefined && hasPath(inner, rest)
  return Array.isArray(inner) && inner.some((item) => hasPath(item, rest))
}

/** Errors of the family's table: what a call was refused with, what a scenario answered, and what a task failed with. */
const countErrors = (add: AddHit, family: CoveredFamily, entry: JournalEntry): void => {
  const { id } = family
  const refused = entry.refusedBy[0]?.error ?? entry.played?.step?.effects.answer?.error
  if (refused !== undefined && entry.status >= 400) add('errors', `${id}/${refused}`)
  if (entry.status >= 400) return
  for (const error of taskErrorsIn(family, entry.responseBody)) add('errors', `${id}/${error}`)
}

const countStatuses = (
  add: AddHit,
  statuses: Map<string, string>,
  family: CoveredFamily,
  { status: code, responseBody, task: named }: JournalEntry,
): void => {
  if (code >= 400 || family.states.length === 0) return
  for (const task of tasksIn(family, responseBody)) {
    if (typeof task.status !== 'string') continue
    const status = family.otherStatusWords?.[task.status] ?? task.status
    countStatus(add, statuses, family, named ?? String(task.id), status)
  }
}

/** Counts the status of a task that its client has learnt, and the transition from the one before. */
const countStatus = (
  add: AddHit,
  statuses: Map<string, string>,
  family: CoveredFamily,
  task: string,
  status: string,
): void => {
  const before = statuses.get(task)
  add('statuses', `${family.id}/${status}`)
  if (before !== undefined && before !== status) add('transitions', `${family.id}/${before}>${status}`)
  statuses.set(task, status)
}

/** Status and error that an accepted callback has brought, unless a scenario has made its body another one. */
const countMessage = (
  add: AddHit,
  statuses: Map<string, string>,
  family: CoveredFamily,
  { taskId, status, body, scenario }: Callback,
): void => {
  const isOther = scenario?.acted?.effects.some((effect) => OTHER_BODY.includes(effect)) === true
  if (status === null || isOther) return
  countStatus(add, statuses, family, taskId, status)
  for (const error of taskErrorsIn(family, body)) add('errors', `${family.id}/${error}`)
}

/** Names of the errors with which tasks in a body have failed. */
const taskErrorsIn = (family: CoveredFamily, body: unknown): string[] =>
  tasksIn(family, body).flatMap(({ error }) =>
    isRecord(error) ? (errorOfTask(family, error.code) ?? []) : [],
  )

const countResult = (add: AddHit, entry: JournalEntry): void => {
  const { method, status, refusedBy, headers, answered, played } = entry
  const isExpired =
    refusedBy[0]?.rule === 'results.not-expired' || played?.step?.effects.result?.expired === true
  if (isExpired) add('results', 'expired')
  if (method === 'HEAD') add('results', 'head')
  else if (headers.range !== undefined && status < 400) add('results', 'range')
  else if (status === 200 && answered?.broken === undefined) add('results', 'fetched')
}

const LATE = ['callback.late', 'callback.inBatches', 'callback.afterNext']
const OTHER_BODY = ['callback.status', 'callback.brokenBody']

const itemsOfCallback = ({ kind, status, state, attempts, scenario }: Callback): string[] => {
  const accepted = attempts.filter(({ status = 0 }) => status >= 200 && status < 300)
  const isDelivered = state === 'delivered'
  // An answer without the challenge accepts nothing, whatever its status.
  const isRefused = accepted.length < attempts.length || state === 'failed'
  const isLate = scenario?.acted?.effects.some((effect) => LATE.includes(effect)) === true
  return [
    ...(isDelivered ? [kind === 'challenge' ? 'challenge' : String(status)] : []),
    ...(isDelivered && isLate ? ['late'] : []),
    ...(accepted.length > 1 ? ['duplicate'] : []),
    ...(isRefused ? ['refused'] : []),
  ]
}
