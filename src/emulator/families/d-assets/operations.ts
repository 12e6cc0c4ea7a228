import { exceededRate } from '../../core/account/account.js'
import { scramble } from '../../core/account/random.js'
import { type Asset, type AssetFailure, assetOfJob, assetTimeline, processingMs } from '../../core/asset.js'
import {
  asDecision,
  type Decision,
  type DecisionContext,
  type FamilyDescription,
  type JobLimit,
  noMeta,
  type Operation,
  type PreparedCall,
  type Rule,
  type StatedRule,
} from '../../core/contract.js'
import type { Call, RefusedBy } from '../../core/model/call.js'
import { mustBe } from '../../core/request.js'
import { nextChange } from '../../core/schedule/time.js'
import type { Settings } from '../../core/settings.js'
import { operation } from '../../core/task/operations.js'
import { commonRules, errorOf, refused, ruleRef } from '../../core/task/refusals.js'
import { timestampDigits, timestampedId } from '../shared/responses.js'
import type { AssetError } from './errors.js'
import { failuresOf } from './limits.js'
import { accepted, failedJobIn, resolved } from './responses.js'
import { form, ignoredFields, isFileUnnamed, type Upload, uploadOf } from './schema.js'

// biome-ignore format: one row a line
const stated = {
  fileIsThere: { id: 'file', says: 'The form holds a file that has a name.', place: 'docs/families/d-assets.md#upload' },
  idIsGiven: { id: 'task-id', says: '`task_id` names the job of an upload.', place: 'docs/families/d-assets.md#resolve' },
  jobExists: { id: 'task-exists', says: 'The job is one of an upload that was not reset since.', place: 'docs/gaps.md#d6' },
} satisfies Readonly<Record<string, StatedRule>>

/** The asset library, as it is in force. */
export interface AssetLibrary extends FamilyDescription<AssetError> {
  readonly rules: readonly Rule<Upload, AssetError>[]
  readonly jobLimits: readonly JobLimit[]
  operations(library: AssetLibrary): readonly Operation[]
}

const ID = 'd-assets'

type Refused = RefusedBy<AssetError>

/** `asset-YYYYMMDDHHMMSS-xxxxx`, in UTC of the account's clock (gap D3). */
export const newAssetId = (context: DecisionContext): string => timestampedId('asset', context)

/** How many ids one second has: four digits. */
const MAX_IDS = 10_000

/**
 * Job id: `task_YYMMDDHHMMSSdddd` (gap D1). A job query carries no key, and four digits cannot encode an account, so the
 * store maps ids to accounts and each id belongs to one account. The digits are scrambled from the sequence number and never
 * repeat within an account; if another account has the id, the next free one is used.
 *
 * If other accounts have all remaining ids, one of theirs is reused: a query with a key still finds the right job.
 */
export const newJobId = (context: DecisionContext): string => {
  const { account, settings, sequence, now, isFree } = context
  const start = scramble(sequence, Number.parseInt(account.id.slice(0, 7), 16) + settings.seed, MAX_IDS)
  const second = `task_${timestampDigits(now).slice(2)}`
  const isNew = (id: string) => !account.jobs.has(id)
  return freeId(second, start, (id) => isNew(id) && isFree(id)) ?? (freeId(second, start, isNew) as string)
}

const freeId = (second: string, start: number, fits: (id: string) => boolean): string | undefined => {
  for (let step = 0; step < MAX_IDS; step += 1) {
    const id = second + String((start + step) % MAX_IDS).padStart(4, '0')
    if (fits(id)) return id
  }
  return undefined
}

/** Upload operation: the rate limit, the form, the rules, then an asset with its whole timeline (§D upload, gap D1). */
const prepareUpload = (library: AssetLibrary, { body }: Call, settings: Settings): PreparedCall => {
  const upload = uploadOf(body)
  const ignored = ignoredFields(body)
  const missing = upload === undefined ? [isFileUnnamed(body) ? fileIsUnnamed : fileIsMissing] : []
  return {
    decide: (context) => {
      const refusals = refusalsOf(
        library,
        upload,
        [...missing, ...unknownFields(library, settings, ignored)],
        context,
      )
      if (upload === undefined || refusals.length > 0) return refused(library, refusals, context, { ignored })
      return accept(library, upload, ignored, context)
    },
  }
}

/** Rate limit check, which comes before any other check, as gateways do (gap X6). */
const limited = (library: AssetLibrary, context: DecisionContext): Decision | undefined => {
  const refusals = rateLimitRefusals(library, context)
  return refusals.length === 0 ? undefined : refused(library, refusals, context)
}

/** @param ofForm what is wrong with the form itself */
const refusalsOf = (
  library: AssetLibrary,
  upload: Upload | undefined,
  ofForm: readonly RefusedBy[],
  context: DecisionContext,
): RefusedBy[] => {
  const early = [...rateLimitRefusals(library, context), ...ofForm]
  return early.length > 0 || upload === undefined ? early : checkRules(library, upload, context)
}

const rateLimitRefusals = (library: AssetLibrary, { account, now }: DecisionContext): RefusedBy[] => {
  const exceeded = exceededRate(account, now)
  if (exceeded === undefined) return []
  const error = errorOf(library, commonRules.rateLimit, library.wellKnownErrors['rate-limited'])
  return [{ error, ...ruleRef(library.id, commonRules.rateLimit), ...exceeded }]
}

const fileIsMissing: Refused = {
  error: 'InvalidParameter',
  ...ruleRef(ID, stated.fileIsThere),
  field: 'file',
  allowed: 'a file with a name',
  message: 'file is required: a part of the form that holds a file and its name',
}

const fileIsUnnamed: Refused = {
  ...fileIsMissing,
  found: 'a part without a file name',
  message:
    'file must be a part of the form with a file name (filename="clip.mp4"), found one without, which is a text',
}

const unknownFields = (
  library: AssetLibrary,
  { strict }: Settings,
  ignored: readonly string[],
): RefusedBy[] => (strict ? ignored.map((field) => unknownField(library, field)) : [])

const unknownField = (library: AssetLibrary, field: string): RefusedBy => ({
  error: errorOf(library, commonRules.fieldsAreKnown, library.wellKnownErrors.unreadable),
  ...ruleRef(library.id, commonRules.fieldsAreKnown),
  field,
  message:
    field === form.fileField
      ? `${field} is sent as a text beside the file of that name, and the setting strict is on`
      : `${field} is not a field of this interface, and the setting strict is on`,
})

const checkRules = (library: AssetLibrary, upload: Upload, context: DecisionContext): RefusedBy[] =>
  library.rules.flatMap((rule) => {
    const refusal = rule.check(upload, context)
    if (refusal === undefined) return []
    const { error = library.wellKnownErrors.unreadable, ...details } = refusal
    return [{ error: errorOf(library, rule, error), ...details, ...ruleRef(library.id, rule) }]
  })

const assetOf = (
  { file, groupId }: Upload,
  failure: AssetFailure | undefined,
  context: DecisionContext,
): Asset => {
  const { now, settings, random } = context
  const processedMs = processingMs(settings.timing, file.bytes, random)
  return {
    id: newAssetId(context),
    jobId: newJobId(context),
    account: context.account.key,
    name: file.name,
    ...(groupId === undefined ? {} : { groupId }),
    bytes: file.bytes,
    blob: file.blob,
    ...(file.probe.kind === 'unreadable' ? {} : { facts: file.probe }),
    requestId: context.requestId,
    createdAt: now,
    timeline: assetTimeline(now, processedMs, failure),
  }
}

const accept = (
  { jobLimits }: AssetLibrary,
  upload: Upload,
  ignored: readonly string[],
  context: DecisionContext,
): Decision => {
  const failures = failuresOf(upload.file.probe, jobLimits)
  const asset = assetOf(upload, failures[0], context)
  return {
    reply: { status: 200, body: accepted(asset) },
    changes: [{ acceptCreate: context.now }, { putAsset: asset }],
    meta: {
      ...noMeta,
      ignored,
      warnings: failures.map(({ message }) => `The job will fail: ${message}`),
      task: asset.jobId,
    },
  }
}

/** Operation `d-assets.upload`: takes a file and begins a job (§D upload). */
const upload = (library: AssetLibrary): Operation => {
  const unknown = errorOf(library, stated.jobExists, 'TaskNotFound')
  return operation(
    library,
    'upload',
    { method: 'POST', path: '/v1/asset/upload' },
    {
      possibleErrors: Object.keys(library.errors).filter((name) => name !== unknown),
      makes: 'asset',
      idAt: 'data.task_id',
      form,
      maxBodyBytes: (settings) => form.maxBytes(settings).bytes,
      prepare: (call, settings) => prepareUpload(library, call, settings),
      checkRateLimit: (context) => limited(library, context),
      rules: [
        ...[commonRules.rateLimit, stated.fileIsThere, commonRules.fieldsAreKnown],
        ...[...library.rules, ...library.jobLimits],
      ],
    },
  )
}

/** The job that a call asks for; empty where it names none, or more than one. */
const jobIdOf = ({ query }: Call): string => {
  const [id = '', ...more] = query.getAll('task_id')
  return more.length === 0 ? id : ''
}

/** Resolve operation: the state of a job by the clock (§D resolve, gap D3 to D6). Changes nothing. */
const prepareResolve = (library: AssetLibrary, call: Call): PreparedCall => ({
  decide: (context) => {
    const id = jobIdOf(call)
    const ids = call.query.getAll('task_id')
    if (ids.length > 1) return refused(library, [idIsRepeated(ids)], context)
    const asset = assetOfJob(context.account, id)
    if (asset === undefined)
      return refused(library, [id === '' ? idIsMissing : jobIsUnknown(library, id)], context)
    const reply = { status: 200, body: resolved(asset, context.now) }
    return asDecision(reply, { task: asset.jobId, ...noMeta })
  },
})

const idIsMissing: Refused = {
  error: 'InvalidParameter',
  ...ruleRef(ID, stated.idIsGiven),
  field: 'task_id',
  allowed: 'the task_id that an upload answered',
  message: 'task_id is required: the one that an upload answered',
}

const idIsRepeated = (ids: readonly string[]): Refused => ({
  error: 'InvalidParameter',
  ...ruleRef(ID, stated.idIsGiven),
  ...mustBe('task_id', 'one task_id that an upload answered', ids),
})

const jobIsUnknown = (library: AssetLibrary, id: string): RefusedBy => ({
  error: errorOf(library, stated.jobExists, 'TaskNotFound'),
  ...ruleRef(ID, stated.jobExists),
  field: 'task_id',
  found: id,
  allowed: 'the task_id of an upload that was not reset since',
})

/** When the job that a call asks for will be done; undefined once it is. */
const nextMomentOfJob: Operation['nextMomentOf'] = (call, account, now) => {
  const asset = assetOfJob(account, jobIdOf(call))
  return asset === undefined ? undefined : nextChange(asset, now)
}

/** Operation `d-assets.resolve`: the asset of a job (§D resolve). Its calls carry no key (§Authentication). */
const resolve = (library: AssetLibrary): Operation =>
  operation(
    library,
    'resolve',
    { method: 'GET', path: '/v1/asset/jobs/get-asset-id' },
    {
      needsKey: false,
      possibleErrors: [
        'InvalidParameter',
        errorOf(library, stated.jobExists, 'TaskNotFound'),
        library.wellKnownErrors.internal,
      ],
      idAt: 'data.asset_id',
      failedJobIn,
      accountOf: jobIdOf,
      nextMomentOf: nextMomentOfJob,
      prepare: (call) => prepareResolve(library, call),
      rules: [stated.idIsGiven, stated.jobExists],
    },
  )

/** Operations of the library: upload and resolve. */
export const operationsOf = (library: AssetLibrary): readonly Operation[] => [
  upload(library),
  resolve(library),
]
