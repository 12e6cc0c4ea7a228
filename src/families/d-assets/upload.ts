import { scramble } from '../../core/account/random.js'
import { exceededRate } from '../../core/account/rate-limit.js'
import { type Asset, assetTimeline, processingMs } from '../../core/asset.js'
import {
  type Decision,
  type DecisionContext,
  noMeta,
  type Operation,
  type StatedRule,
} from '../../core/contract.js'
import type { RefusedBy } from '../../core/model/call.js'
import { commonRules, refused, ruleRef } from '../../core/task/refusals.js'
import { timestampDigits, timestampedId } from '../shared/responses.js'
import { type AssetError, errors, library, shared } from './errors.js'
import { failuresOf, limits } from './limits.js'
import { accepted } from './responses.js'
import { rules } from './rules.js'
import { form, ignoredFields, type Upload, uploadOf } from './schema.js'

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
const prepareUpload: Operation['prepare'] = ({ body }, settings) => {
  const upload = uploadOf(body)
  const ignored = ignoredFields(body)
  return {
    mediaRefs: [],
    decide: (context) => {
      const refusals = refusalsOf(upload, settings.strict ? ignored : [], context)
      if (upload === undefined || refusals.length > 0) return refused(library, refusals, context, { ignored })
      return accept(assetOf(upload, context), upload, ignored, context)
    },
  }
}

type Refused = RefusedBy<AssetError>

/** Rate limit check, which comes before any other check, as gateways do (gap X6). */
const limited = (context: DecisionContext): Decision | undefined => {
  const refusals = rateLimitRefusals(context)
  return refusals.length === 0 ? undefined : refused(library, refusals, context)
}

const refusalsOf = (
  upload: Upload | undefined,
  unknown: readonly string[],
  context: DecisionContext,
): Refused[] => {
  const early = [
    ...rateLimitRefusals(context),
    ...(upload === undefined ? [fileIsMissing] : []),
    ...unknown.map(checkUnknownFields),
  ]
  return early.length > 0 || upload === undefined ? early : checkRules(upload, context)
}

const rateLimitRefusals = ({ account, now }: DecisionContext): Refused[] => {
  const rate = exceededRate(account, now)
  return rate === undefined
    ? []
    : [{ error: 'RateLimited', ...ruleRef(library.id, commonRules.rateLimit), ...rate }]
}

const fileIsThere: StatedRule = {
  id: 'file',
  says: 'The form holds a file that has a name.',
  place: 'docs/families/d-assets.md#upload',
}

const fileIsMissing: Refused = {
  error: 'InvalidParameter',
  ...ruleRef(library.id, fileIsThere),
  field: 'file',
  allowed: 'a file with a name',
  message: 'file is required: a part of the form that holds a file and its name',
}

const checkUnknownFields = (field: string): Refused => ({
  error: 'InvalidParameter',
  ...ruleRef(library.id, commonRules.fieldsAreKnown),
  field,
  message:
    field === form.fileField
      ? `${field} is sent as a text beside the file of that name, and the setting strict is on`
      : `${field} is not a field of this interface, and the setting strict is on`,
})

const checkRules = (upload: Upload, context: DecisionContext): Refused[] =>
  rules.flatMap((rule) => {
    const refusal = rule.check(upload, context)
    return refusal === undefined
      ? []
      : [{ error: 'InvalidParameter', ...refusal, ...ruleRef(library.id, rule) }]
  })

const assetOf = ({ file, groupId }: Upload, context: DecisionContext): Asset => {
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
    timeline: assetTimeline(now, processedMs, failuresOf(file.probe)[0]),
  }
}

const accept = (
  asset: Asset,
  { file }: Upload,
  ignored: readonly string[],
  context: DecisionContext,
): Decision => ({
  reply: { status: 200, body: accepted(asset) },
  changes: [{ acceptCreate: context.now }, { putAsset: asset }],
  meta: {
    ...noMeta,
    ignored,
    warnings: failuresOf(file.probe).map(({ message }) => `The job will fail: ${message}`),
    task: asset.jobId,
  },
})

/** Operation `d-assets.upload`: takes a file and begins a job (§D upload). */
export const upload: Operation = {
  ...shared,
  id: 'd-assets.upload',
  route: { method: 'POST', path: '/v1/asset/upload' },
  needsKey: true,
  possibleErrors: Object.keys(errors).filter((name) => name !== 'TaskNotFound'),
  makes: 'asset',
  idAt: 'data.task_id',
  form,
  maxBodyBytes: (settings) => form.maxBytes(settings).bytes,
  prepare: prepareUpload,
  checkRateLimit: limited,
  rules: [commonRules.rateLimit, fileIsThere, commonRules.fieldsAreKnown, ...rules, ...limits],
}
