import { z } from 'zod'
import { faults, groupBy } from '../../emulator/surface/faults.js'
import { beginningOf } from '../../emulator/surface/journal.js'
import {
  type CallbackSighting,
  type CallSighting,
  isDownload,
  isOpen,
  type SightedTask,
  type Sighting,
  tasksOf,
} from './sighting.js'

/** Kinds of ledger entries, the gravest first. `retried` is no fault. */
export const ledgerKinds = [
  'paid-twice',
  'lost',
  'kept-damaged-file',
  'kept-other-file',
  'abandoned',
  'did-not-wait',
  'hammered',
  'polled-on',
  'refused-callbacks',
  'retried',
] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** Whether an entry is a fault of the client. */
export const isFault = (kind: LedgerKind): boolean => kind !== 'retried'

/** Zod schema of a ledger entry, as reports have it. */
export const entrySchema = z.strictObject({
  kind: z.enum(ledgerKinds),
  count: z.int().min(0).describe('how often'),
  price: z.number().exactOptional().describe('of what was paid twice, in the currency of the account'),
  sameIdempotencyKey: z
    .boolean()
    .exactOptional()
    .describe('whether the creates carried the same Idempotency-Key, which the service does not know'),
  examples: z
    .array(z.string())
    .exactOptional()
    .describe(
      'some of what it is about: operation, task, beginning of the prompt, and the test where it is known',
    ),
})
export type ReportedEntry = z.output<typeof entrySchema>

/** Ledger entry: something that was seen in a run and not in the baseline. */
export interface LedgerEntry extends ReportedEntry {
  /** Account ids of the calls that it is about. */
  readonly accounts: readonly string[]
}

interface Finding extends Pick<LedgerEntry, 'count' | 'price' | 'sameIdempotencyKey'> {
  readonly account: string
  readonly examples: readonly (CallSighting | CallbackSighting)[]
}

const MAX_EXAMPLES = 3

/**
 * Ledger of a run: what the emulators saw, compared with the baseline. Pure.
 * @param hasPassed whether the tests passed: only then a bad file was kept
 */
export const ledgerOf = (
  run: readonly Sighting[],
  baseline: readonly Sighting[],
  hasPassed: boolean,
): LedgerEntry[] => {
  const called = [run, baseline].map((all) => new Set(all.filter(isCall).map(({ account }) => account)))
  // Keys that are made up anew for every run are compared with each other as one account.
  const nameOf = (account: string) => (called.every((accounts) => accounts.has(account)) ? account : '*')
  const now = factsOf(run, nameOf)
  const before = factsOf(baseline, nameOf)
  return ledgerKinds.flatMap((kind) => {
    if (/^kept-/.test(kind) && !hasPassed) return []
    return entryOf(kind, comparisons[kind](now, before), run)
  })
}

const entryOf = (kind: LedgerKind, all: readonly Finding[], run: readonly Sighting[]): LedgerEntry[] => {
  const findings = all.filter(({ count }) => count > 0)
  if (findings.length === 0) return []
  const count = findings.reduce((sum, finding) => sum + finding.count, 0)
  const price = Math.round(findings.reduce((sum, finding) => sum + (finding.price ?? 0), 0) * 1e6) / 1e6
  const isSameKey = findings.some(({ sameIdempotencyKey }) => sameIdempotencyKey)
  const more = {
    ...(kind === 'paid-twice' ? { price } : {}),
    ...(isSameKey ? { sameIdempotencyKey: true } : {}),
  }
  const about = findings.flatMap((finding) => finding.examples)
  const examples = isFault(kind) ? { examples: examplesOf(about, run) } : {}
  const accounts = [...new Set(findings.map(({ account }) => account))]
  return [{ kind, count, ...more, ...examples, accounts }]
}

/** Texts such as `b-video-task.create cgt-… "A tram climbs", in the test "orders once"`, each once. */
const examplesOf = (sightings: Finding['examples'], run: readonly Sighting[]): string[] => {
  const creates = new Map(
    run.filter(isCall).flatMap((call) => (call.makes ? [[call.task, call.prompt]] : [])),
  )
  const tests = new Map(run.flatMap((each) => (each.kind === 'test' ? [[each.account, each.test]] : [])))
  const texts = sightings.map(({ operation = 'unknown path', task, account, prompt = creates.get(task) }) => {
    const id = task === undefined ? '' : ` ${task.slice(task.indexOf('/') + 1)}`
    const words =
      prompt === undefined ? '' : ` ${JSON.stringify(beginningOf(prompt)).replace(/\p{Cc}/gu, '\ufffd')}`
    const test = tests.get(account)
    return `${operation}${id}${words}${test === undefined ? '' : `, in the test "${test}"`}`
  })
  return [...new Set(texts)].slice(0, MAX_EXAMPLES)
}

const isCall = (sighting: Sighting): sighting is CallSighting => sighting.kind === 'call'

/** Facts of a run. */
interface Facts {
  readonly nameOf: (account: string) => string
  readonly calls: readonly CallSighting[]
  readonly callbacks: readonly CallbackSighting[]
  readonly tasks: readonly SightedTask[]
}

const factsOf = (sightings: readonly Sighting[], nameOf: Facts['nameOf']): Facts => ({
  nameOf,
  calls: sightings.filter(isCall),
  callbacks: sightings.filter((sighting) => sighting.kind === 'callback'),
  tasks: tasksOf(sightings).map((task) => ({ ...task, account: nameOf(task.account) })),
})

type Comparison = (now: Facts, before: Facts) => Finding[]

/** Comparison by number: occurrences beyond those of the baseline, by account. */
const moreOf =
  (occurrencesIn: (facts: Facts) => readonly (CallSighting | CallbackSighting)[]): Comparison =>
  (now, before) => {
    const byAccount = (facts: Facts) => groupBy(occurrencesIn(facts), ({ account }) => facts.nameOf(account))
    const known = byAccount(before)
    return [...byAccount(now)].map(([account, all]) => {
      return { account, count: all.length - (known.get(account)?.length ?? 0), examples: all }
    })
  }

/** Calls that are repeated, where they count as that by their next repetition. */
const repeated = (
  calls: readonly CallSighting[],
  counts: (call: CallSighting, next: CallSighting) => boolean,
): CallSighting[] => faults.repetitionsIn(calls).flatMap(([call, next]) => (counts(call, next) ? [call] : []))

const { idlePolls, keptDamaged, keptOther } = faults.ofFiles<CallSighting>(isDownload)

const orderIdOf = ({ account, create }: SightedTask): string => `${account} ${create.request}`

/** Tasks beyond the first that are charged, or will be, for one order. Failed and cancelled tasks cost nothing. */
const paidTwice: Comparison = (now, before) => {
  const paidBefore = groupBy(before.tasks.filter(isPaid), orderIdOf)
  const paid = groupBy(now.tasks.filter(isPaid), orderIdOf)
  return [...paid].map(([order, tasks]) => {
    const count = tasks.length - Math.max(1, paidBefore.get(order)?.length ?? 0)
    const [{ account, price }] = tasks as [SightedTask]
    const keys = tasks.flatMap(({ create }) => create.idempotencyKey ?? [])
    const sameIdempotencyKey = new Set(keys).size < keys.length
    return { account, count, price: count * price, sameIdempotencyKey, examples: createsOf(tasks) }
  })
}

const createsOf = (tasks: readonly SightedTask[]): CallSighting[] => tasks.map(({ create }) => create)

const isPaid = ({ state }: SightedTask): boolean => faults.isCharged(state)

/** Tasks by order, those of both runs; orders that only one of them has count as one order of their account. */
const byOrder = (now: Facts, before: Facts): [account: string, SightedTask[], SightedTask[]][] => {
  const orders = new Set(now.tasks.map(orderIdOf))
  const shared = new Set(before.tasks.map(orderIdOf).filter((order) => orders.has(order)))
  const looseOrder = (task: SightedTask) => (shared.has(orderIdOf(task)) ? orderIdOf(task) : task.account)
  const known = groupBy(before.tasks, looseOrder)
  return [...groupBy(now.tasks, looseOrder)].map(([order, tasks]) => [
    (tasks[0] as SightedTask).account,
    tasks,
    known.get(order) ?? [],
  ])
}

const isMissed = ({ state, isFetched, isOutOfReach }: SightedTask): boolean =>
  state === 'succeeded' && !isFetched && !isOutOfReach

const lost: Comparison = (now, before) =>
  byOrder(now, before).map(([account, tasks, known]) => {
    const fetched = (counted: readonly SightedTask[]) => counted.filter(({ isFetched }) => isFetched).length
    const missed = tasks.filter(isMissed)
    const count = Math.min(missed.length, fetched(known) - fetched(tasks))
    return { account, count, examples: createsOf(missed) }
  })

const abandoned: Comparison = (now, before) =>
  byOrder(now, before).map(([account, tasks, known]) => {
    const open = tasks.filter((task) => isOpen(task) && !task.isOutOfReach)
    const openBefore = known.filter(isOpen).length
    const fewerOver = known.length - openBefore - tasks.filter((task) => !isOpen(task)).length
    return { account, count: Math.min(open.length - openBefore, fewerOver), examples: createsOf(open) }
  })

const FAR_MORE = 10
const MIN_SPAN_MS = 100

/** Calls of an operation where they are more than ten times those that the baseline would have made in the same time. */
const hammered: Comparison = (now, before) => {
  const stretchOf = (clock: 'at' | 'wall') => span(now, clock) / span(before, clock)
  const stretch = Math.max(1, stretchOf('at'), stretchOf('wall'))
  const groupsOf = ({ calls, nameOf }: Facts) =>
    groupBy(calls, ({ account, operation }) => `${nameOf(account)} ${operation}`)
  const known = groupsOf(before)
  return [...groupsOf(now)].map(([group, calls]) => {
    const expected = Math.max(1, known.get(group)?.length ?? 0)
    const isFar =
      calls.length > FAR_MORE * expected * stretch && calls.length - expected >= faults.MIN_HAMMERING
    const count = isFar ? calls.length - expected : 0
    return { account: group.split(' ')[0] as string, count, examples: calls }
  })
}

/** Time from the first call to the last one: in real time, or the longest on the clocks of accounts. */
const span = ({ calls }: Facts, clock: 'at' | 'wall'): number => {
  const groups = clock === 'wall' ? [calls] : groupBy(calls, ({ account }) => account).values()
  const spans = [...groups].map((group) => {
    const times = group.map((call) => call[clock]).sort((a, b) => a - b)
    return (times.at(-1) ?? 0) - (times[0] ?? 0)
  })
  return Math.max(MIN_SPAN_MS, ...spans)
}

const comparisons: Readonly<Record<LedgerKind, Comparison>> = {
  'paid-twice': paidTwice,
  lost,
  'kept-damaged-file': moreOf(({ calls }) => keptDamaged(calls)),
  'kept-other-file': moreOf(({ calls }) => keptOther(calls)),
  abandoned,
  'did-not-wait': moreOf(({ calls }) => repeated(calls, faults.isEarly)),
  hammered,
  'polled-on': moreOf(({ calls }) => idlePolls(calls)),
  'refused-callbacks': moreOf(({ callbacks }) => callbacks.filter(faults.isRefusedCallback)),
  retried: moreOf(({ calls }) => repeated(calls, faults.hasFailed)),
}
