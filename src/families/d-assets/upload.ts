import { retryAfterSeconds } from '../../core/account/rate.js'
import type { Asset } from '../../core/asset/asset.js'
import { assetLife, processingMs } from '../../core/asset/life.js'
import { type Call, type Decision, noNotes, type Prepared } from '../../core/operation.js'
import type { RefusedBy } from '../../core/problem.js'
import type { Settings } from '../../core/settings.js'
import type { World } from '../../core/world.js'
import { type AssetError, refusalReply } from './errors.js'
import { ignoredFields, type Upload, uploadOf } from './form.js'
import { newAssetId, newJobId } from './ids.js'
import { failuresOf } from './limits.js'
import { accepted } from './render.js'
import { rules } from './rules.js'

/** Uploading: the rate limit, the form, the rules, then an asset with the whole of its life (§D Upload, defaults D1). */
export const prepareUpload = ({ body }: Call, settings: Settings): Prepared => {
  const upload = uploadOf(body)
  const ignored = ignoredFields(body)
  return {
    mentions: [],
    decide: (world) => {
      const refusals = refusalsOf(upload, settings.strict ? ignored : [], world)
      if (upload === undefined || refusals.length > 0) return refused(refusals, ignored)
      return kept(assetOf(upload, world), upload, ignored, world)
    },
  }
}

type Refused = RefusedBy<AssetError>

// The rate limit refuses before anything is looked at, as gateways do.
const refusalsOf = (upload: Upload | undefined, unknown: readonly string[], world: World): Refused[] => {
  const early = [
    ...limited(world),
    ...(upload === undefined ? [fileIsMissing] : []),
    ...unknown.map(strictly),
  ]
  return early.length > 0 || upload === undefined ? early : ruled(upload, world)
}

const limited = ({ account, now }: World): Refused[] => {
  const seconds = retryAfterSeconds(account, now)
  if (seconds === undefined) return []
  return [
    {
      error: 'RateLimited',
      rule: 'd-assets.rate-limit',
      place: 'defaults X6',
      found: account.recentCreates.length,
      allowed: `${account.limits.requestsPerMinute} requests a minute`,
      retryAfterSeconds: seconds,
    },
  ]
}

const fileIsMissing: Refused = {
  error: 'InvalidParameter',
  rule: 'd-assets.file',
  place: '§D Upload',
  field: 'file',
  allowed: 'a file with a name',
  message: 'file is required: a part of the form that holds a file and its name',
}

const strictly = (field: string): Refused => ({
  error: 'InvalidParameter',
  rule: 'd-assets.strict',
  place: 'defaults X11',
  field,
  message: `${field} is not a field of this interface, and the setting strict is on`,
})

const ruled = (upload: Upload, world: World): Refused[] =>
  rules.flatMap(({ id, place, check }) => {
    const refusal = check(upload, world)
    return refusal === undefined ? [] : [{ ...refusal, rule: `d-assets.${id}`, place }]
  })

const refused = (refusedBy: readonly Refused[], ignored: readonly string[]): Decision => ({
  reply: refusalReply(refusedBy[0] as Refused),
  changes: [],
  notes: { ...noNotes, refusedBy, ignored },
})

const assetOf = ({ file, groupId }: Upload, world: World): Asset => {
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
    life: assetLife(now, processedMs, failuresOf(file.probe)[0]),
  }
}

const kept = (asset: Asset, { file }: Upload, ignored: readonly string[], world: World): Decision => ({
  reply: { status: 200, body: accepted(asset) },
  changes: [{ acceptCreate: world.now }, { putAsset: asset }],
  notes: {
    refusedBy: [],
    ignored,
    warnings: failuresOf(file.probe).map(({ message }) => `The job will fail: ${message}`),
    task: asset.jobId,
  },
})
