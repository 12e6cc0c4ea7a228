import type { Gap } from '../../core/contract.js'
import { errorBody, errors, wellKnownErrors } from './errors.js'
import { facts } from './facts.js'
import { limitsOf } from './limits.js'
import { type AssetLibrary, operationsOf } from './operations.js'
import { probes } from './probes.js'
import { api } from './responses.js'
import { rulesOf } from './rules.js'

// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'D1', grade: 'seen', place: 'Upload response', answer: '200 `{"code":200,"data":{"task_id":"task_YYMMDDHHMMSSdddd"},"msg":""}`; `message` repeats `msg`' },
  { id: 'D2', grade: 'seen', place: '`group_id`', answer: 'Can be absent or empty. It may be anything, or one of `groups` where that is set, and then another is 400', settings: ['groups'] },
  { id: 'D3', grade: 'seen', place: 'Resolve, ready', answer: '`{"code":200,"data":{"task_id","asset_id":"asset-YYYYMMDDHHMMSS-xxxxx","status":"Active"},"msg":""}` with HTTP 200' },
  { id: 'D4', grade: 'assumed', place: 'Resolve, not ready', answer: '`{"code":202,"data":{"task_id","status":"Processing"},"msg":"processing"}`, with HTTP 200 all the same' },
  { id: 'D5', grade: 'assumed', place: 'Resolve, failed', answer: '`{"code":500,"data":{"task_id","status":"Failed","error":{"code","message"}},"msg"}`, with HTTP 200 all the same' },
  { id: 'D6', grade: 'assumed', place: 'Resolve, unknown', answer: '`{"code":404,"data":null,"msg":"task not found"}` with HTTP 404' },
  { id: 'D7', grade: 'seen', place: 'Limits', answer: 'Images (JPEG, PNG, WebP, BMP, TIFF, GIF, HEIC): 30 MB, sides 300 to 6000, ratio 0.4 to 2.5. Videos (MP4, MOV): 50 MB, 2 to 15 s, 24 to 60 frames a second. Audios (WAV, MP3): 15 MB, 2 to 15 s. Names: 64 characters. A wrong type, size or name is refused at once with 400 `{"code":400,…}`; the other limits are checked by the job, which becomes Failed', settings: ['assetImageBytes', 'assetVideoBytes', 'assetAudioBytes'] },
  { id: 'D8', grade: 'seen', place: 'Lifetime', answer: 'Assets stay until a reset, and uploading needs no balance' },
]

/** The asset library (§D) of these facts. It keeps what clients send and makes nothing, so that it is no task family. */
const assetLibraryOf = ({ bounds }: typeof facts): AssetLibrary => ({
  id: 'd-assets',
  section: 'D',
  title: 'Asset library',
  gaps,
  reliesOn: { upload: ['D1'], resolve: ['D3'], refusal: ['D6'] },
  api,
  bodySizeRef: 'docs/families/d-assets.md#file, docs/gaps.md#d7',
  rules: rulesOf(bounds),
  jobLimits: limitsOf(bounds),
  errors,
  wellKnownErrors,
  respond: { error: errorBody },
  operations: operationsOf,
  probes,
  facts: { models: {}, bounds },
  make: assetLibraryOf,
})

export const assetLibrary = assetLibraryOf(facts)
