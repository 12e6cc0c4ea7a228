import type { Operation } from '../../core/contract.js'
import { type AssetError, errors, FAMILY, refusalReply, refuse, wellKnownErrors } from './errors.js'
import { gaps } from './gaps.js'
import { limits } from './limits.js'
import { jobIdOf, nextOfResolved, prepareResolve, resolveRules } from './resolve.js'
import { api, failedJobIn } from './responses.js'
import { rules } from './rules.js'
import { form } from './schema.js'
import { limited, prepareUpload, uploadRules } from './upload.js'

const shared = {
  family: FAMILY,
  section: 'D',
  refuse,
  wellKnownErrors: wellKnownErrors,
  errors: Object.keys(errors),
  bodySizeRef: 'docs/families/d-assets.md#file, docs/gaps.md#d7',
  raise: (error, refusal) => refusalReply({ ...refusal, error: error as AssetError }),
} satisfies Partial<Operation>

/** A file comes in and a job begins: `d-assets.upload` (§D upload). */
const upload: Operation = {
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
  limited,
  rules: uploadRules,
}

/** A job is asked for its asset: `d-assets.resolve` (§D resolve). Carries no key (§Authentication). */
const resolve: Operation = {
  ...shared,
  id: 'd-assets.resolve',
  route: { method: 'GET', path: '/v1/asset/jobs/get-asset-id' },
  needsKey: false,
  possibleErrors: ['InvalidParameter', 'TaskNotFound', 'InternalError'],
  idAt: 'data.asset_id',
  failedJobIn,
  accountOf: jobIdOf,
  awaits: nextOfResolved,
  maxBodyBytes: () => 0,
  prepare: prepareResolve,
  rules: resolveRules,
}

/** The asset library (§D). It keeps what clients send and makes nothing, so that it is no task family. */
export const assetLibrary = {
  gaps,
  api,
  id: FAMILY,
  section: 'D',
  title: 'Asset library',
  errors,
  /** What an upload is refused for, and what the job of an accepted one fails for. */
  rules,
  limits,
  operations: [upload, resolve],
} as const
