import type { Gap } from '../../core/contract.js'
import { library } from './errors.js'
import { limits } from './limits.js'
import { resolve, upload } from './operations.js'
import { api } from './responses.js'
import { rules } from './rules.js'

/** Gaps of family D. */
// biome-ignore format: one row a line
const gaps: readonly Gap[] = [
  { id: 'D1', grade: 'seen', place: 'Upload response', answer: '200 `{"code":200,"data":{"task_id":"task_YYMMDDHHMMSSdddd"},"msg":""}` (also `message`, same text)' },
  { id: 'D2', grade: 'seen', place: '`group_id`', answer: 'optional; any value, unless groups are configured: then an unknown one is 400', settings: ['groups'] },
  { id: 'D3', grade: 'seen', place: 'Resolve, ready', answer: '200 `{"code":200,"data":{"task_id","asset_id":"asset-YYYYMMDDHHMMSS-xxxxx","status":"Active"},"msg":""}`' },
  { id: 'D4', grade: 'assumed', place: 'Resolve, not ready', answer: 'HTTP 200 `{"code":202,"data":{"task_id","status":"Processing"},"msg":"processing"}`' },
  { id: 'D5', grade: 'assumed', place: 'Resolve, failed', answer: 'HTTP 200 `{"code":500,"data":{"task_id","status":"Failed","error":{"code","message"}},"msg"}`' },
  { id: 'D6', grade: 'assumed', place: 'Resolve, unknown', answer: 'HTTP 404 `{"code":404,"data":null,"msg":"task not found"}`' },
  { id: 'D7', grade: 'seen', place: 'Limits', answer: 'image JPEG, PNG, WebP, BMP, TIFF, GIF, HEIC up to 30 MB, sides 300 to 6000, ratio 0.4 to 2.5; video MP4, MOV up to 50 MB, 2 to 15 s, 24 to 60 fps; audio WAV, MP3 up to 15 MB, 2 to 15 s; name up to 64 characters. Size, type and name are refused at upload (400 `{"code":400,…}`); sides and lengths make the job Failed', settings: ['assetImageBytes', 'assetVideoBytes', 'assetAudioBytes'] },
  { id: 'D8', grade: 'seen', place: 'Lifetime', answer: 'until reset; no balance needed' },
]

/** The asset library (§D). It keeps what clients send and makes nothing, so that it is no task family. */
export const assetLibrary = {
  gaps,
  api,
  id: library.id,
  section: 'D',
  title: 'Asset library',
  errors: library.errors,
  /** What an upload is refused for, and what the job of an accepted one fails for. */
  rules,
  limits,
  operations: [upload, resolve],
} as const
