import type { Gap } from '../../core/contract.js'

/** What is answered where the specification is silent: E. */
export const eVideoReference: readonly Gap[] = [
  {
    id: 'E1',
    place: '`subject_reference` items',
    grade: 'seen',
    answer:
      '`type` is `character`, else 400; `image` an array of 1 or more URLs, `asset://` ids or Base64 (one string is read as an array of one); other keys ignored',
  },
  {
    id: 'E2',
    place: 'Required',
    grade: 'seen',
    answer:
      '`subject_reference` (1 or more); `prompt` may be missing, but not empty; over 800 characters: 400',
  },
  {
    id: 'E3',
    place: '`image` or `images` beside `subject_reference`',
    grade: 'spec',
    answer: '400 `invalid_request`',
  },
  {
    id: 'E4',
    place: '`seconds`',
    grade: 'seen',
    answer: '2 to 15, string or integer',
  },
  {
    id: 'E5',
    place: 'Defaults',
    grade: 'seen',
    answer: '`prompt_extend` false, `watermark` false',
  },
  {
    id: 'E6',
    place: 'Create status, progress',
    grade: 'seen',
    answer: '`pending`, 0. While running 10 to 95; ended 100',
  },
  {
    id: 'E7',
    place: 'Query',
    grade: 'seen',
    answer: 'as C3, without what E does not have',
  },
  {
    id: 'E8',
    place: 'Pixels',
    grade: 'seen',
    answer: '720P 1280x720, 1080P 1920x1080; 30 frames a second; never `expired`',
  },
]
