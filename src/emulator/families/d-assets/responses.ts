import { z } from 'zod'
import { type Asset, assetPhaseAt } from '../../core/asset.js'
import type { FamilyApi, Operation } from '../../core/contract.js'
import type { Instant } from '../../core/schedule/time.js'

// Clients read the text under either name.
const messageFields = (text: string) => ({ msg: text, message: text })

/** The answer to an upload (§D upload, gap D1). */
export const accepted = ({ jobId }: Asset) => ({ code: 200, data: { task_id: jobId }, ...messageFields('') })

/** The answer to a resolve: `code` is 200 with an `asset_id` once there is one (§D resolve, gap D3 to D5). */
export const resolved = (asset: Asset, now: Instant) => {
  const phase = assetPhaseAt(asset, now)
  const data = { task_id: asset.jobId, status: phase.state }
  switch (phase.state) {
    case 'Processing':
      return { code: 202, data, ...messageFields('processing') }
    case 'Active':
      return { code: 200, data: { ...data, asset_id: asset.id }, ...messageFields('') }
    case 'Failed': {
      const { code, message } = phase.error
      return { code: 500, data: { ...data, error: { code, message } }, ...messageFields(message) }
    }
  }
}

const messageSchemas = { msg: z.string(), message: z.string().describe('the same as `msg`') }

const acceptedSchema = z
  .object({ code: z.literal(200), data: z.object({ task_id: z.string() }), ...messageSchemas })
  .describe('What an upload answers (§D upload, gap D1).')

const resolvedSchema = z
  .discriminatedUnion('code', [
    z.object({
      code: z.literal(202),
      data: z.object({ task_id: z.string(), status: z.literal('Processing') }),
      ...messageSchemas,
    }),
    z.object({
      code: z.literal(200),
      data: z.object({
        task_id: z.string(),
        status: z.literal('Active'),
        asset_id: z.string().describe('what requests name as `asset://<asset_id>`'),
      }),
      ...messageSchemas,
    }),
    z.object({
      code: z.literal(500),
      data: z.object({
        task_id: z.string(),
        status: z.literal('Failed'),
        error: z.object({ code: z.string(), message: z.string() }),
      }),
      ...messageSchemas,
    }),
  ])
  .describe('What a job of the asset library has come to (§D resolve, gap D3 to D5).')

// Lenient: the answer may be one of the real service, as a HAR file has it.
const textOrNone = z.coerce.string().optional()
const failedJob = z.object({
  code: z.unknown().optional(),
  msg: textOrNone,
  data: z.object({
    task_id: z.string(),
    status: z.unknown().optional(),
    error: z.object({ code: textOrNone, message: textOrNone }).catch({}),
  }),
})

/** Failed job in the answer to a resolve; undefined where the answer shows none. Without a status, the code tells it. */
export const failedJobIn: Operation['failedJobIn'] = (body) => {
  const { code, msg, data } = failedJob.safeParse(body).data ?? {}
  if (data === undefined || !['Failed', 500].includes((data.status ?? code) as string | number))
    return undefined
  const { error } = data
  return { id: data.task_id, code: error.code || 'Failed', message: error.message || msg || 'The job failed' }
}

const problemSchema = z
  .object({ code: z.int().describe('the HTTP status'), data: z.null(), ...messageSchemas })
  .describe('A refusal of family D (gap D6, D7, Z23).')

const jobQuery = z
  .object({ task_id: z.string().describe('the one that an upload answered') })
  .describe('The query of a resolve (§D resolve).')

/** API description of family D. */
export const api = {
  requests: { AssetJobQuery: jobQuery },
  responses: { AssetUploaded: acceptedSchema, AssetJob: resolvedSchema, AssetProblem: problemSchema },
  error: 'AssetProblem',
  operations: {
    upload: { summary: 'Upload a file to the asset library', response: 'AssetUploaded' },
    resolve: { summary: 'Ask for the asset of an upload', query: 'AssetJobQuery', response: 'AssetJob' },
  },
} satisfies FamilyApi
