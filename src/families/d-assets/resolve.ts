import { assetOfJob, nextMomentOfAsset } from '../../core/asset.js'
import { noMeta, type Operation, type StatedRule } from '../../core/contract.js'
import type { Call, RefusedBy } from '../../core/model/call.js'
import { refused, ruleRef } from '../../core/task/refusals.js'
import { type AssetError, library, shared } from './errors.js'
import { failedJobIn, resolved } from './responses.js'

/** The job that a call asks for; empty where it names none. */
const jobIdOf = ({ query }: Call): string => query.get('task_id') ?? ''

/** Resolve operation: the state of a job by the clock (§D resolve, gap D3 to D6). Changes nothing. */
const prepareResolve: Operation['prepare'] = (call) => ({
  mediaRefs: [],
  decide: (context) => {
    const { account, now } = context
    const id = jobIdOf(call)
    const asset = assetOfJob(account, id)
    if (asset === undefined) return refused(library, [id === '' ? idIsMissing : jobIsUnknown(id)], context)
    return {
      reply: { status: 200, body: resolved(asset, now) },
      changes: [],
      meta: { task: asset.jobId, ...noMeta },
    }
  },
})

type Refused = RefusedBy<AssetError>

const idIsGiven: StatedRule = {
  id: 'task-id',
  says: '`task_id` names the job of an upload.',
  place: 'docs/families/d-assets.md#resolve',
}

const jobExists: StatedRule = {
  id: 'task-exists',
  says: 'The job is one of an upload that was not reset since.',
  place: 'docs/gaps.md#d6',
}

const idIsMissing: Refused = {
  error: 'InvalidParameter',
  ...ruleRef(library.id, idIsGiven),
  field: 'task_id',
  allowed: 'the task_id that an upload answered',
  message: 'task_id is required: the one that an upload answered',
}

const jobIsUnknown = (id: string): Refused => ({
  error: 'TaskNotFound',
  ...ruleRef(library.id, jobExists),
  field: 'task_id',
  found: id,
  allowed: 'the task_id of an upload that was not reset since',
})

/** When the job that a call asks for will be done; undefined once it is. */
const nextMomentOfJob: Operation['nextMomentOf'] = (call, account, now) => {
  const asset = assetOfJob(account, jobIdOf(call))
  return asset === undefined ? undefined : nextMomentOfAsset(asset, now)
}

/** Operation `d-assets.resolve`: the asset of a job (§D resolve). Its calls carry no key (§Authentication). */
export const resolve: Operation = {
  ...shared,
  id: 'd-assets.resolve',
  route: { method: 'GET', path: '/v1/asset/jobs/get-asset-id' },
  needsKey: false,
  possibleErrors: ['InvalidParameter', 'TaskNotFound', 'InternalError'],
  idAt: 'data.asset_id',
  failedJobIn,
  accountOf: jobIdOf,
  nextMomentOf: nextMomentOfJob,
  maxBodyBytes: () => 0,
  prepare: prepareResolve,
  rules: [idIsGiven, jobExists],
}
