import { lateImport } from '../concurrency.js'
import { keyOf } from '../core/account/account-id.js'
import { runDue } from '../core/account/apply.js'
import type { Asset } from '../core/asset.js'
import { takesBody } from '../core/http.js'
import type { Answered, JournalEntry } from '../core/journal/entry.js'
import type { Body, Call, FormFile, Reply } from '../core/model/call.js'
import type { Task } from '../core/model/task.js'
import type { Instant } from '../core/schedule/time.js'
import { hashOfBytes } from '../media/files/blob-store.js'
import type { Fixtures } from '../media/fixtures.js'
import { requestScenario, SCENARIO_HEADER } from '../scenarios/library.js'
import { parseBody } from './body.js'
import { createDecision, type Decided, type DecisionParts, readMedia } from './decide.js'
import { answerContextOf, answerWithEffects, profiledAnswerOf } from './effects/answer.js'
import type { ReceivedExchange, ResolvedExchange, ServiceParts } from './exchange.js'
import { createIdentify } from './identify.js'
import { entryOf } from './pipeline.js'
import { createAccountKeyOf, createOriginOf } from './receive.js'

interface DryCall {
  readonly method: string
  readonly path: string
  /** Without its `?`. */
  readonly query: string
  /** In small letters. */
  readonly headers: Readonly<Record<string, string>>
  /** Of JSON, as it would be sent, or undefined where there is no body, or a form. */
  readonly text?: string | undefined
  /** A form, whose file is a sample medium of this name, or given as Base64. */
  readonly form?: {
    readonly fields: Readonly<Record<string, string>>
    readonly fixture?: string | undefined
    readonly file?: { readonly name: string; readonly base64: string } | undefined
  }
}

interface DryRunParts
  extends DecisionParts,
    Pick<ServiceParts, 'findRoute' | 'scenarioNamed' | 'resolveMedia' | 'health'> {
  readonly fixtures: Pick<Fixtures, 'read'>
  /** Host and port of the emulator, for calls without a Host header, or undefined where it does not listen yet. */
  readonly ownHost: () => string | undefined
}

/** Outcome of a dry run: the call as the journal would have it, and the task or asset that it would make. */
interface DryRunOutcome {
  readonly entry: JournalEntry
  readonly task: Task | undefined
  readonly asset: Asset | undefined
}

/**
 * Dry run of the pipeline: identifies a call, resolves its media and decides it, in a transaction that is rolled back. There
 * is no task, no id is used up, no step of a scenario is counted, no clock moves, and the journal has nothing of it. The
 * account of a new key is opened all the same, as by every look at it, and can take the place of another one.
 */
export type DryRun = (dry: DryCall) => Promise<DryRunOutcome>

/** Dry run over the parts of an emulator. */
export const createDryRun = (parts: DryRunParts): DryRun => {
  const { store, settings, fixtures, findRoute, scenarioNamed } = parts
  const identify = createIdentify(parts)
  const decide = createDecision(parts)
  const accountKeyOf = createAccountKeyOf(store)
  const originOf = createOriginOf(settings)

  const bodyOf = async ({ text, form }: DryCall, route: ReceivedExchange['route']): Promise<Body> => {
    const operation = route?.operations[0]
    if (operation === undefined || !takesBody(operation.route.method)) return { kind: 'none' }
    if (operation.form !== undefined) return formBodyOf(form, operation.form.fileField, fixtures)
    if (text === undefined || text === '') return { kind: 'none' }
    const limit = operation.maxBodyBytes(settings)
    return Buffer.byteLength(text) > limit ? { kind: 'too-large', limit } : parseBody(Buffer.from(text))
  }

  const receive = async (dry: DryCall): Promise<ReceivedExchange> => {
    const { method, path, query: rawQuery, headers, text = '' } = dry
    const query = new URLSearchParams(rawQuery)
    const named = headers[SCENARIO_HEADER]
    const route = findRoute(method, path, query)
    const key = keyOf(headers.authorization)
    const body = await bodyOf(dry, route)
    const params = route?.params ?? {}
    const call: Call = { method, path, headers, params, query, body }
    return {
      call,
      begun: parts.systemNow(),
      route,
      key,
      headers,
      rawQuery,
      signedQuery: undefined,
      port: undefined,
      accountKey: await accountKeyOf(call, key, route),
      origin: originOf(headers.host ?? parts.ownHost()),
      bytes: Buffer.byteLength(text),
      requestScenario: named === undefined ? undefined : await requestScenario(named, scenarioNamed),
    }
  }

  /** Decides in a transaction that is rolled back. */
  const decideAndRollBack = async (
    exchange: ResolvedExchange,
  ): Promise<Decided & { readonly now: Instant }> => {
    const { accountKey, nextMoment, clockJumpMs: jump = 0 } = exchange
    return store
      .transact(accountKey, (account, arrivedAt): never => {
        const now = Math.max(nextMoment ?? arrivedAt, arrivedAt) + jump
        runDue(account, now)
        throw new RolledBack({ ...decide(exchange, account, now), now })
      })
      .catch((error) => {
        if (error instanceof RolledBack) return error.decided
        throw error
      })
  }

  return async (dry) => {
    const identified = await identify(await receive(dry))
    const exchange = await readMedia(identified, parts)
    const { now: decidedAt, ...decided } = await decideAndRollBack(exchange)
    const { reply, answered } = answerOf(decided, exchange)
    const changed = parts.profile?.change(reply, decided.subject)
    const facts = { ...answered, ...(changed && { profile: profiledAnswerOf(changed, changed.reply) }) }
    const entry = entryOf(Number.POSITIVE_INFINITY, { ...exchange, ...decided, decidedAt }, reply, facts)
    const { changes } = decided.decision
    const task = changes.find((change) => 'putTask' in change)?.putTask
    const asset = changes.find((change) => 'putAsset' in change)?.putAsset
    return { entry, task, asset }
  }
}

/** Carries what was decided out of a transaction, which rolls back when it throws. */
class RolledBack extends Error {
  constructor(readonly decided: Decided & { readonly now: Instant }) {
    super('rolled back')
  }
}

const answerOf = (
  { decision: { reply }, match, requestId }: Decided,
  exchange: ResolvedExchange,
): { readonly reply: Reply; readonly answered?: Pick<Answered, 'changed'> } => {
  const effects = match.step?.effects
  if (effects?.answer === undefined) return { reply }
  const context = answerContextOf(exchange, requestId, effects)
  const kept = answerWithEffects(reply, requestId, effects, context)
  const { changed } = kept.answered
  return { reply: kept.reply, ...(changed === undefined ? {} : { answered: { changed } }) }
}

const importProbe = lateImport(() => import('../media/probe.js'))

/** A form whose file is given, or is a sample medium. */
const formBodyOf = async (
  form: DryCall['form'],
  field: string,
  fixtures: Pick<Fixtures, 'read'>,
): Promise<Body> => {
  if (form === undefined) return { kind: 'unreadable', detail: 'The request must be a form, found none' }
  const { fields, fixture, file: given } = form
  const name = given?.name ?? fixture ?? ''
  const bytes = given === undefined ? await fixtures.read(name) : Buffer.from(given.base64, 'base64')
  if (bytes === undefined) return { kind: 'form', fields, files: [] }
  const { probe, sniff } = await importProbe()
  const format = sniff(bytes)
  const file: FormFile = {
    field,
    name,
    bytes: bytes.length,
    blob: await hashOfBytes(bytes),
    probe: await probe(bytes),
    ...(format === undefined ? {} : { format }),
  }
  return { kind: 'form', fields, files: [file] }
}
