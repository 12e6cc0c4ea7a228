import { z } from 'zod'
import { waitAtMost } from '../../concurrency.js'
import { accountIdOf } from '../../core/account/account-id.js'
import { explain } from '../../core/journal/explain.js'
import { buildTimeline } from '../../core/journal/timeline.js'
import { isFinal, viewAt } from '../../core/model/task.js'
import { unusedStepsOf } from '../../core/scenario/explain.js'
import { isoOf } from '../../core/schedule/time.js'
import { findingsOf } from '../../core/verdict/findings.js'
import { type FindingKind, findingKinds } from '../../core/verdict/kinds.js'
import {
  accountKeys,
  action,
  all,
  type ControlContext,
  flag,
  itemsOf,
  namedObject,
  noInput,
} from '../action.js'
import { callbackRecord, callbackRecordFor } from './callbacks.js'
import { inFlightRecords, requestRecord, requestRecordOf } from './requests.js'
import { stepRecord } from './scenarios.js'
import { taskRecord, taskRecordOf } from './tasks.js'

const timelineItem = namedObject('TimelineItem', 'One thing that happened on an account.', () => ({
  at: z.string(),
  account: z.string().describe('hash of the API key, shown in its place'),
  kind: z.enum(['request', 'task', 'asset', 'callback']),
  id: z
    .string()
    .describe('of the request, the task, the asset or the callback; empty: a call without an answer yet'),
  says: z.string().describe('in one line'),
}))

const looseEnds = () => ({
  unexpectedCalls: z
    .array(z.intersection(requestRecord(), z.object({ explanation: z.array(z.string()) })))
    .describe(
      'calls that no operation has a route for, oldest first, each with the route that was probably meant, or with all of them where none is near',
    ),
  undeliveredCallbacks: z
    .array(callbackRecord())
    .describe(
      'callbacks that their receiver has not accepted, of tasks whose callbacks no scenario changed, oldest first',
    ),
  unusedSteps: z
    .array(z.intersection(stepRecord(), z.object({ scenario: z.string() })))
    .describe('required steps of scenarios that have not acted'),
  abandonedTasks: z.array(taskRecord()).describe('tasks that have not ended, oldest first'),
  evicted: z
    .object({ calls: z.number(), callbacks: z.number() })
    .optional()
    .describe(
      'calls and callbacks that were evicted, so that loose ends among them are not known; absent where there are none',
    ),
})

const findingRecord = namedObject('Finding', 'Something that a robust client does not do.', () => ({
  kind: z.enum(findingKinds as readonly [FindingKind, ...FindingKind[]]),
  message: z.string().describe('what was seen'),
  calls: z
    .array(z.string())
    .describe('request ids of the calls that it is about, or the ids of callbacks, oldest first'),
  advice: z.string().describe('what a robust client would have done'),
  docs: z.string().describe('the section of the documentation that explains it'),
}))

const looseEndsRecord = namedObject('LooseEnds', 'The loose ends of a test.', looseEnds)

const finishedRecord = namedObject(
  'Finished',
  'The loose ends at the end of a test, with the timeline.',
  () => ({
    ...looseEnds(),
    verdict: z.array(findingRecord()).describe('findings about the client, the gravest first'),
    timeline: z
      .array(timelineItem())
      .describe('all events, where there are loose ends or findings; empty where there are none'),
  }),
)

export const testEndActions = {
  'timeline.read': action({
    route: { method: 'GET', path: '/timeline' },
    summary: 'All events of the account, in order, a line each; last, the calls that have no answer yet',
    input: noInput,
    output: () => itemsOf(timelineItem()),
    run: async (context, key) => ({ items: await timelineOf(context, key) }),
  }),
  'loose-ends.read': action({
    route: { method: 'GET', path: '/loose-ends' },
    summary:
      'What a test should not leave behind: calls without a route, callbacks that were not accepted, required steps that have not acted',
    input: noInput,
    output: looseEndsRecord,
    run: (context, key) => looseEndsOf(context, key),
  }),
  'verdict.read': action({
    route: { method: 'GET', path: '/verdict' },
    summary:
      'What the client of the account did that a robust client does not do, the gravest first; with `all`, the clients of every account',
    input: z.strictObject({ all }),
    output: () => itemsOf(findingRecord()),
    run: async (context, key, { all }) => {
      const keys = await accountKeys(context, key, all)
      return { items: (await Promise.all(keys.map((accountKey) => verdictOf(context, accountKey)))).flat() }
    },
  }),
  finish: action({
    route: { method: 'POST', path: '/finish' },
    // Steps of other accounts do not count: a scenario that plays for all need not act for each.
    summary:
      'The end of a test: its loose ends and the verdict on its client, with the timeline where there is something, and the account begins anew; with `all`, the calls, callbacks and tasks of every account, and every account begins anew',
    input: z.strictObject({
      all,
      verdict: flag('`false` or `0`: no verdict is made, and `verdict` is empty', true),
    }),
    output: finishedRecord,
    recordedAs: 'nothing',
    run: async (context, key, { all, verdict: isJudged }) => {
      const others = all ? (await context.store.keys()).filter((other) => other !== key) : []
      const keys = [key, ...others]
      const ends = await Promise.all(keys.map((accountKey) => looseEndsOf(context, accountKey)))
      const looseEnds = {
        unexpectedCalls: ends.flatMap(({ unexpectedCalls }) => unexpectedCalls),
        undeliveredCallbacks: ends.flatMap(({ undeliveredCallbacks }) => undeliveredCallbacks),
        unusedSteps: ends[0]?.unusedSteps ?? [],
        abandonedTasks: ends.flatMap(({ abandonedTasks }) => abandonedTasks),
      }
      const judged = isJudged ? keys : []
      const verdict = (await Promise.all(judged.map((accountKey) => verdictOf(context, accountKey)))).flat()
      const isFine = verdict.length === 0 && Object.values(looseEnds).every(({ length }) => length === 0)
      const evicted = ends.flatMap(({ evicted }) => evicted ?? [])
      const timelines = isFine
        ? []
        : await Promise.all(keys.map((accountKey) => timelineOf(context, accountKey)))
      for (const accountKey of keys) await context.forget(accountKey)
      return { ...looseEnds, verdict, ...evictedField(evicted), timeline: timelines.flat() }
    },
  }),
}

const timelineOf = async (context: ControlContext, key: string) => {
  const { items } = await context.callbacks.list(key)
  const happened = await context.store.read(key, (account, now) => [
    ...buildTimeline({
      entries: context.journals.journalOf(key).list().reverse(),
      tasks: [...account.tasks.values()],
      assets: [...account.assets.values()],
      callbacks: items.reverse(),
      now,
    }),
    ...inFlightRecords(context, key).map(({ method, path, says }) => ({
      at: now,
      kind: 'request' as const,
      id: '',
      says: `${method} ${path} → ${says}`,
    })),
  ])
  return happened.map(({ at, ...entry }) => ({ at: isoOf(at), account: accountIdOf(key), ...entry }))
}

const verdictOf = async (context: ControlContext, key: string) => {
  await waitAtMost(DRAIN_TIMEOUT_MS, context.callbacks.idle(key))
  const { items } = await context.callbacks.list(key)
  const { operations, fileOperations } = context.registry
  return context.store.read(key, ({ tasks }, now) =>
    findingsOf({
      entries: context.journals.journalOf(key).list().reverse(),
      tasks: [...tasks.values()],
      callbacks: items.toReversed(),
      now,
      operations: operations.map(({ id }) => id),
      fileOperations,
    }),
  )
}

const looseEndsOf = async (context: ControlContext, key: string) => {
  await waitAtMost(DRAIN_TIMEOUT_MS, context.callbacks.idle(key))
  const journal = context.journals.journalOf(key)
  const { items, evicted } = await context.callbacks.list(key)
  const touched = new Set(items.filter(({ scenario }) => scenario?.acted).map(({ taskId }) => taskId))
  return {
    unexpectedCalls: journal
      .list()
      .filter(({ operation }) => operation === undefined)
      .map((entry) => ({
        ...requestRecordOf(entry),
        explanation: explain(entry, context.registry.operations),
      }))
      .reverse(),
    undeliveredCallbacks: items
      .filter(({ state, taskId }) => state !== 'delivered' && !touched.has(taskId))
      .map(callbackRecordFor(key))
      .reverse(),
    ...evictedField([{ calls: journal.evicted, callbacks: evicted }]),
    ...(await context.store.read(key, ({ playing, tasks }, now) => ({
      unusedSteps: unusedStepsOf(playing),
      abandonedTasks: [...tasks.values()]
        .map((task) => viewAt(task, now))
        .filter(({ phase }) => !isFinal(phase))
        .map(taskRecordOf),
    }))),
  }
}

interface Evicted {
  readonly calls: number
  readonly callbacks: number
}

/** Field with the number of all that were evicted; no field where none were. */
const evictedField = (evicted: readonly Evicted[]): { readonly evicted?: Evicted } => {
  const calls = evicted.reduce((sum, { calls }) => sum + calls, 0)
  const callbacks = evicted.reduce((sum, { callbacks }) => sum + callbacks, 0)
  return calls + callbacks === 0 ? {} : { evicted: { calls, callbacks } }
}

/** How long to wait for deliveries in flight, in real time. */
const DRAIN_TIMEOUT_MS = 2_000
