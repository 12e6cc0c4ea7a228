import { exceededRate } from '../../core/account/rate.js'
import type { Asset } from '../../core/asset/asset.js'
import { assetTimeline, processingMs } from '../../core/asset/life.js'
import { type Call, type Decision, noMeta, type Prepared } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import { ruleRef, type StatedRule } from '../../core/rule.js'
import type { Settings } from '../../core/settings.js'
import { fieldsAreKnown, rateLimit } from '../../core/task/standing-rules.js'
import type { DecisionContext } from '../../core/world.js'
import { type AssetError, FAMILY, refusalReply } from './errors.js'
import { form, ignoredFields, type Upload, uploadOf } from './form.js'
import { newAssetId, newJobId } from './ids.js'
import { failuresOf, limits } from './limits.js'
import { accepted } from './render.js'
import { rules } from './rules.js'

/** Uploading: the rate limit, the form, the rules, then an asset with the whole of its life (§D Upload, gap D1). */
export const prepareUpload = ({ body }: Call, settings: Settings): Prepared => {
  const upload = uploadOf(body)
  const ignored = ignoredFields(body)
  return {
    mediaRefs: [],
    decide: (world) => {
      const refusals = refusalsOf(upload, settings.strict ? ignored : [], world)
      if (upload === undefined || refusals.length > 0) return refused(refusals, ignored)
      return kept(assetOf(upload, world), upload, ignored, world)
    },
  }
}

type Refused = RefusedBy<AssetError>

/** The rate limit refuses before anything is looked at, as gateways do (gap X6). */
export const limited = (world: DecisionContext): Decision | undefined => {
  const refusals = tooMany(world)
  return refusals.length === 0 ? undefined : refused(refusals, [])
}

const refusalsOf = (
  upload: Upload | undefined,
  unknown: readonly string[],
  world: DecisionContext,
): Refused[] => {
  const early = [
    ...tooMany(world),
    ...(upload === undefined ? [fileIsMissing] : []),
    ...unknown.map(checkUnknownFields),
  ]
  return early.length > 0 || upload === undefined ? early : checkRules(upload, world)
}

const tooMany = ({ account, now }: DecisionContext): Refused[] => {
  const over = exceededRate(account, now)
  return over === undefined ? [] : [{ error: 'RateLimited', ...ruleRef(FAMILY, rateLimit), ...over }]
}

const fileIsThere: StatedRule = {
  id: 'file',
  says: 'The form holds a file that has a name.',
  place: '§D Upload',
}

/** What an upload is refused for, and what the job of an accepted one fails for. */
export const uploadRules: readonly StatedRule[] = [
  rateLimit,
  fileIsThere,
  fieldsAreKnown,
  ...rules,
  ...limits,
]

const fileIsMissing: Refused = {
  error: 'InvalidParameter',
  ...ruleRef(FAMILY, fileIsThere),
  field: 'file',
  allowed: 'a file with a name',
  message: 'file is required: a part of the form that holds a file and its name',
}

const checkUnknownFields = (field: string): Refused => ({
  error: 'InvalidParameter',
  ...ruleRef(FAMILY, fieldsAreKnown),
  field,
  message:
    field === form.fileField
      ? `${field} is sent as a text beside the file of that name, and the setting strict is on`
      : `${field} is not a field of this interface, and the setting strict is on`,
})

const checkRules = (upload: Upload, world: DecisionContext): Refused[] =>
  rules.flatMap((rule) => {
    const refusal = rule.check(upload, world)
    return refusal === undefined ? [] : [{ ...refusal, ...ruleRef(FAMILY, rule) }]
  })

const refused = (refusedBy: readonly Refused[], ignored: readonly string[]): Decision => ({
  reply: refusalReply(refusedBy[0] as Refused),
  changes: [],
  notes: { ...noMeta, refusedBy, ignored },
})

const assetOf = ({ file, groupId }: Upload, world: DecisionContext): Asset => {
  const { now, settings, draw } = world
  const processedMs = processingMs(settings.timing, file.bytes, draw)
  return {
    id: newAssetId(world),
    jobId: newJobId(world),
    account: world.account.key,
    name: file.name,
    ...(groupId === undefined ? {} : { groupId }),
    bytes: file.bytes,
    blob: file.blob,
    ...(file.probe.kind === 'unreadable' ? {} : { facts: file.probe }),
    requestId: world.requestId,
    createdAt: now,
    life: assetTimeline(now, processedMs, failuresOf(file.probe)[0]),
  }
}

const kept = (
  asset: Asset,
  { file }: Upload,
  ignored: readonly string[],
  world: DecisionContext,
): Decision => ({
  reply: { status: 200, body: accepted(asset) },
  changes: [{ acceptCreate: world.now }, { putAsset: asset }],
  notes: {
    refusedBy: [],
    ignored,
    warnings: failuresOf(file.probe).map(({ message }) => `The job will fail: ${message}`),
    task: asset.jobId,
  },
})
