import { z } from 'zod'
import { accountIdOf } from '../../core/account/account-id.js'
import { ControlError } from '../../core/errors.js'
import {
  type ConnectionOutcome,
  connectionOutcomeOf,
  type JournalEntry,
  redactedEntry,
  wholeEntry,
} from '../../core/journal/entry.js'
import { nearestRoute, reasonsOf, repeatedCall, subjects } from '../../core/journal/explain.js'
import { waits } from '../../core/journal/in-flight.js'
import { redactedText } from '../../core/journal/redact.js'
import { viewAt } from '../../core/model/task.js'
import { nearMissConditions } from '../../core/scenario/conditions.js'
import { scenarioResultOf } from '../../core/scenario/explain.js'
import { isoOf } from '../../core/schedule/time.js'
import { quotaSpecs } from '../../quotas.js'
import { seenSentences } from '../../verified/explain.js'
import {
  accountKeys,
  action,
  all,
  brief,
  type ControlContext,
  integerFrom,
  logOf,
  namedObject,
  page,
  typedText,
} from '../action.js'
import { validateFilters } from '../rules.js'
import { callbackRecord, callbackRecordFor } from './callbacks.js'
import { downloadsIn } from './results.js'
import { scenarioResultRecord } from './scenarios.js'
import { taskRecord, taskRecordOf } from './tasks.js'

export const refusalRecord = namedObject('RefusalRecord', 'Why a call was refused.', () => ({
  rule: z.string().describe('`a-image.size-area`, or `a-image.schema.parameters.n` for what the schema asks'),
  place: z.string().describe('the reference into the specification or the table of gaps'),
  error: z.string().describe("the family's name of the error"),
  field: z.string().optional().describe('the path of the field: `content[0].image_url.url`'),
  found: z.unknown().optional(),
  allowed: z.string().optional(),
  message: z.string().optional(),
  retryAfterSeconds: z.number().optional(),
  bound: z
    .enum(Object.keys(quotaSpecs))
    .optional()
    .describe(
      'the limit of the emulator that was met: `tasks-per-account`; absent where the service refuses',
    ),
}))

const statusFields = () => ({
  status: z.number().describe('of the answer as it was decided, sent or not'),
  connection: z
    .enum(['reset', 'no-answer', 'cut-off'] satisfies ConnectionOutcome[])
    .optional()
    .describe(
      'what became of the connection: a scenario reset it, left it without an answer or ended it within the body, or the client left before the first byte of a file (`no-answer`); absent where the answer was sent whole',
    ),
})

const requestFields = () => ({
  id: z.string().describe('the request id of the answer'),
  account: z.string().describe('hash of the API key, shown in its place'),
  at: z.string(),
  operation: typedText('OperationName | (string & {})')
    .nullable()
    .describe('`b-video-task.create`; null: no operation has such a route'),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown(),
  bytes: z.number().describe('of the body: as received, or as announced where it was not read'),
  ...statusFields(),
  answer: z
    .unknown()
    .describe(
      'as it was decided; `sent` or `profile` has the answer that went out, where a scenario or a profile changed it',
    ),
  sent: z
    .object({ status: z.number(), answer: z.unknown() })
    .nullable()
    .describe('the answer of which a step of a scenario changed fields; null: none did'),
  profile: z
    .object({
      by: z.array(z.string()).describe('the rows of the profile, with their places'),
      status: z.number(),
      answer: z.unknown(),
    })
    .nullable()
    .describe('the answer as the profile changed it; null: it did not'),
  refusedBy: z
    .array(refusalRecord())
    .describe('every rule that refused, in order; the first one made the answer'),
  ignored: z.array(z.string()).describe('fields that the interface does not know'),
  warnings: z.array(z.string()),
  task: z
    .string()
    .nullable()
    .describe('the task that was created, read or cancelled, or whose result was fetched'),
  scenario: scenarioResultRecord()
    .nullable()
    .describe('the scenario steps that acted, or could have; null: no step was for it'),
})

export const requestRecord = namedObject(
  'RequestRecord',
  'A call as the journal keeps it: without credentials, long texts cut.',
  requestFields,
)

const explainedRecord = namedObject(
  'ExplainedRequest',
  'A call with the explanation of its answer, and its later effects: without credentials and Base64, its texts whole as far as the journal has them.',
  () => ({
    ...requestFields(),
    text: z
      .string()
      .optional()
      .describe('the body where it was no JSON; absent where it was JSON, or the journal does not have it'),
    answerText: z
      .string()
      .optional()
      .describe(
        'the answer where it was no JSON, such as the XML of a refused download; undefined: it was JSON, a file or empty',
      ),
    answerHeaders: z
      .record(z.string(), z.string())
      .describe('headers of the answer besides the request id and the type of JSON'),
    isWhole: z
      .boolean()
      .describe('whether path, query and body are those that were sent: nothing was redacted, cut or a file'),
    explanation: z.array(z.string()).describe('in sentences'),
    reasons: z
      .array(z.object({ about: z.enum(subjects), says: z.string() }))
      .describe('the sentences of the explanation, each with what it is about'),
    meant: z
      .string()
      .nullable()
      .describe(
        'the operation whose route is nearest, of a call without one; null: it has one, or none is near',
      ),
    tried: z
      .array(
        z.object({
          scenario: z.string(),
          step: z.number().describe('from 1'),
          conditions: z
            .array(
              z.object({
                says: z.string().describe('`the model gamma-H3`'),
                holds: z.boolean().nullable().describe('null: it was not looked at'),
              }),
            )
            .describe('in the order in which they are looked at'),
        }),
      )
      .describe('the steps of `scenario.nearMisses`, each with its conditions'),
    followed: z.object({
      task: taskRecord().nullable(),
      callbacks: z.array(callbackRecord()).describe('of the task, newest first'),
      downloads: z.array(z.object({ id: z.string(), at: z.string(), ...statusFields() })),
    }),
  }),
)

const statusFieldsOf = (entry: JournalEntry) => {
  const connection = connectionOutcomeOf(entry)
  return { status: entry.status, ...(connection === undefined ? {} : { connection }) }
}

/** Request record of a journal entry: without credentials and Base64. */
export const requestRecordOf = (stored: JournalEntry) => recordOf(redactedEntry(stored))

/** Record for a brief list and for events: without the headers of the call. */
export const briefRequestOf = (stored: JournalEntry) => ({ ...requestRecordOf(stored), headers: {} })

const wholeRecordOf = (stored: JournalEntry) => {
  const entry = wholeEntry(stored)
  return {
    ...recordOf(entry),
    text: entry.requestText,
    answerText: entry.responseText,
    answerHeaders: entry.responseHeaders,
    isWhole: entry.isWhole,
  }
}

const recordOf = (entry: JournalEntry) => ({
  id: entry.id,
  account: accountIdOf(entry.account),
  at: isoOf(entry.at),
  operation: entry.operation ?? null,
  method: entry.method,
  path: entry.path,
  query: entry.query,
  headers: entry.headers,
  body: entry.requestBody,
  bytes: entry.requestBytes,
  ...statusFieldsOf(entry),
  answer: entry.responseBody,
  sent: sentOf(entry),
  profile: profileOf(entry),
  refusedBy: entry.refusedBy,
  ignored: entry.ignored,
  warnings: entry.warnings,
  task: entry.task ?? null,
  scenario: entry.played === undefined ? null : scenarioResultOf(entry.played),
})

const sentOf = ({ answered }: JournalEntry) => {
  if (answered?.changed === undefined) return null
  const { status, body: answer } = answered.changed
  return { status, answer }
}

const profileOf = ({ answered }: JournalEntry) => {
  if (answered?.profile === undefined) return null
  const { by, status, body: answer } = answered.profile
  return { by, status, answer }
}

const inFlightRecord = namedObject(
  'InFlightRecord',
  'A call that has no answer yet, or whose file is still being sent: the journal does not have it.',
  () => ({
    account: z.string().describe('hash of the API key, shown in its place'),
    operation: typedText('OperationName | (string & {})')
      .nullable()
      .describe('null: no operation has such a route'),
    method: z.string(),
    path: z.string(),
    task: z.string().nullable().describe('null: it is about none, or it is not known yet'),
    waitsFor: z
      .enum(waits)
      .describe(
        'its body, the media that it names, the emulator, a step of a scenario, the rendering of its file, or the client that reads it',
      ),
    ms: z.number().describe('milliseconds of real time since its headers were read'),
    says: z.string().describe('in words: `no answer yet, being rendered for 4.1 s`'),
  }),
)

/** Records of the calls of an account that have no answer yet, oldest first. @param key undefined: of all accounts */
export const inFlightRecords = ({ inFlight }: Pick<ControlContext, 'inFlight'>, key: string | undefined) =>
  inFlight.list(key).map(({ accountKey, operation = null, method, path, task = null, waitsFor, ms }) => ({
    account: accountIdOf(accountKey),
    operation,
    method,
    path: redactedText(path, accountKey),
    task,
    waitsFor,
    ms: Math.round(ms),
    says: waitTexts[waitsFor](`${(ms / 1_000).toFixed(1)} s`),
  }))

const waitTexts: Readonly<Record<(typeof waits)[number], (time: string) => string>> = {
  body: (time) => `no answer yet, its body being received for ${time}`,
  media: (time) => `no answer yet, the media that it names being read for ${time}`,
  decision: (time) => `no answer yet after ${time}`,
  scenario: (time) => `no answer yet, held back by a scenario for ${time}`,
  rendering: (time) => `no answer yet, being rendered for ${time}`,
  sending: (time) => `its file being sent for ${time}`,
}

export const requestFilter = z.strictObject({
  operation: typedText('OperationPattern')
    .optional()
    .describe('`b-video-task.create`, or all of a family: `b-video-task.*`'),
  status: integerFrom(z.number().min(100).max(599)).optional(),
  path: z.string().optional().describe('a part of the path'),
  problem: typedText("RulePattern | 'any'")
    .optional()
    .describe('a rule, or the beginning of one; `any` for every call that was refused'),
})

export const requestActions = {
  'recording.read': action({
    route: { method: 'GET', path: '/requests' },
    summary:
      'The calls of the account as a recording, a JSON object a line, which `backlot replay` runs again; with `all`, of every account',
    matches: ({ format }) => format !== undefined,
    input: z.strictObject({ format: z.literal('replay'), all }),
    output: () => z.string(),
    run: async (context, key, { all }) => context.readRecording(await accountKeys(context, key, all)),
  }),
  'requests.list': action({
    route: { method: 'GET', path: '/requests' },
    summary:
      'The calls of the account, newest first, and those that have no answer yet; with `all`, of every account',
    input: requestFilter.extend({ ...page, all, brief: brief('the headers of a call') }),
    output: () =>
      logOf(requestRecord()).extend({
        inFlight: z
          .array(inFlightRecord())
          .describe('calls that the journal does not have yet, whatever the filter, oldest first'),
        restoredAt: z
          .string()
          .nullable()
          .describe(
            'when the account was put back (a snapshot, an import or a state file), on its clock: its journal begins there; null: it was not, or `all`',
          ),
      }),
    run: async (context, key, { limit, offset, all, brief, ...filter }) => {
      validateFilters(context.registry, filter)
      const { journals } = context
      const keys = await accountKeys(context, key, all)
      const { items, total } = (all ? journals : journals.journalOf(key)).page(filter, offset, limit)
      const evicted = keys.reduce((sum, accountKey) => sum + journals.journalOf(accountKey).evicted, 0)
      const inFlight = inFlightRecords(context, all ? undefined : key)
      const restoredAt = all ? null : restoredAtOf(context, key)
      const itemOf = brief ? briefRequestOf : requestRecordOf
      return { items: items.map(itemOf), total, evicted, inFlight, restoredAt }
    },
  }),
  'requests.read': action({
    route: { method: 'GET', path: '/requests/:id' },
    summary: 'One call, the explanation of its answer, and its later effects; with `all`, of any account',
    input: z.strictObject({ id: z.string(), all }),
    output: explainedRecord,
    run: async (context, key, { id, all }) => {
      const { journals } = context
      const keys = await accountKeys(context, key, all)
      const found = keys.map((accountKey) => journals.journalOf(accountKey).get(id))
      const entry = found.find((one) => one !== undefined)
      if (entry === undefined) throw unknownRequest(id, all, all ? null : restoredAtOf(context, key))
      const { account: owner } = entry
      const first = repeatedCall(entry, journals.journalOf(owner))
      const followed = await whatFollowed(context, owner, entry.task)
      // Queries and downloads name a task as well, and have made none.
      const callbacks = entry.method === 'POST' ? followed.callbacks.toReversed() : []
      const reasons = [
        ...reasonsOf(
          redactedEntry(entry),
          context.registry.operations,
          first,
          callbacks,
          seenSentences(context.verified, context.registry, entry),
        ),
        ...signatureReasons(context, entry),
      ]
      return {
        ...wholeRecordOf(entry),
        explanation: reasons.map(({ says }) => says),
        reasons,
        meant: meantOperation(entry, context),
        tried: entry.played === undefined ? [] : nearMissConditions(entry.played),
        followed,
      }
    },
  }),
}

/** The operation that a call without one probably meant; null: the call has one, or none is near. */
const meantOperation = (entry: JournalEntry, { registry: { operations } }: ControlContext): string | null => {
  if (entry.operation !== undefined) return null
  const route = nearestRoute(entry, operations)
  return operations.find(({ route: { method, path } }) => `${method} ${path}` === route)?.id ?? null
}

/** How the callbacks of a new task are signed, and what the built-in receiver has found; none where they are not. */
const signatureReasons = (
  { registry, inbox }: ControlContext,
  { account, operation, task }: JournalEntry,
) => {
  const [family = '', verb] = operation?.split('.') ?? []
  const signature = registry.taskFamily(family)?.callback?.delivery?.signature
  if (signature === undefined || task === undefined || verb !== 'create') return []
  const messages = [...inbox.countByName(account).keys()]
    .flatMap((name) => inbox.list(account, name).items)
    .filter(({ deliveryId }) => deliveryId?.replace(/-\d+$/, '') === task)
  const valid = messages.filter((message) => message.signature === 'valid').length
  const found =
    messages.length === 0
      ? ''
      : ` Of ${messages.length} that the inbox has received, ${valid} are signed right.`
  const says = `Callbacks of the task are signed in the header ${signature.header}.${found}`
  return [{ about: 'profile' as const, says }]
}

/** When an account was put back, on its clock, where its journal begins; null: it was not. */
const restoredAtOf = ({ journals }: ControlContext, key: string): string | null => {
  const initialState = journals.initialStateOf(key)
  return initialState === undefined || !('restored' in initialState) ? null : isoOf(initialState.at)
}

const unknownRequest = (id: string, all: boolean, restoredAt: string | null): ControlError =>
  new ControlError(404, 'no-such-request', {
    message: all ? `No journal has a request ${id}.` : `The journal of this account has no request ${id}.`,
    hint:
      restoredAt === null
        ? evictionHint(all)
        : `The account was put back at ${restoredAt} of its clock (a snapshot, an import or a state file), and its journal begins there.`,
  })

const evictionHint = (all: boolean): string =>
  `Old entries are evicted (settings journalEntries and journalBytes)${all ? '' : '; the Authorization header selects the account'}.`

const whatFollowed = async (context: ControlContext, key: string, taskId: string | undefined) => {
  if (taskId === undefined) return { task: null, callbacks: [], downloads: [] }
  const task = await context.store.read(key, ({ tasks }, now) => {
    const named = tasks.get(taskId)
    return named === undefined ? null : taskRecordOf(viewAt(named, now))
  })
  const { items } = await context.callbacks.list(key, { taskId })
  const downloads = downloadsIn(context, key)
    .filter((download) => download.task === taskId)
    .map((download) => ({ id: download.id, at: isoOf(download.at), ...statusFieldsOf(download) }))
  return { task, callbacks: items.map(callbackRecordFor(key)), downloads }
}
