import type { Gap } from '../../core/contract.js'

/** Gaps of family E. */
// biome-ignore format: one row a line
export const gaps: readonly Gap[] = [
  { id: 'E1', grade: 'seen', place: '`subject_reference` items', answer: '`type` is `character`, else 400; `image` an array of 1 or more URLs, `asset://` ids or Base64 (one string is read as an array of one); other keys ignored' },
  { id: 'E2', grade: 'seen', place: 'Required', answer: '`subject_reference` (1 or more); `prompt` may be missing, but not empty; over 800 characters: 400' },
  { id: 'E3', grade: 'spec', place: '`image` or `images` beside `subject_reference`', answer: '400 `invalid_request`' },
  { id: 'E4', grade: 'seen', place: '`seconds`', answer: '2 to 15, string or integer' },
  { id: 'E5', grade: 'seen', place: 'Defaults', answer: '`prompt_extend` false, `watermark` false' },
  { id: 'E6', grade: 'seen', place: 'Create status, progress', answer: '`pending`, 0. While running 10 to 95; ended 100' },
  { id: 'E7', grade: 'seen', place: 'Query', answer: 'as C3, without what E does not have' },
  { id: 'E8', grade: 'seen', place: 'Pixels', answer: '720P 1280x720, 1080P 1920x1080; 30 frames a second; never `expired`' },
]
