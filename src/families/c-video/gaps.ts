import type { Gap } from '../../core/contract.js'

/** What is answered where the specification is silent: C. */
export const cVideo: readonly Gap[] = [
  {
    id: 'C1',
    place: 'Create response',
    grade: 'seen',
    answer:
      '200 `{"id","task_id","object":"video","model","status":"queued","progress":0,"created_at"}`, id = task_id',
  },
  {
    id: 'C2',
    place: 'Ids',
    grade: 'assumed',
    answer:
      '`cgt-…` as in B, one store: a task of C is visible on B and the reverse (both are the same models)',
  },
  {
    id: 'C3',
    place: 'Query',
    grade: 'seen',
    answer:
      "B's object plus `task_id`, `object`, `progress`, `completed_at`, and once succeeded `url`, `video_url`, `metadata.url` beside `content.video_url`",
  },
  {
    id: 'C4',
    place: 'Status words',
    grade: 'seen',
    answer:
      'the specification\'s; setting `videoStatusWords: "openai-style"` turns them into queued, in_progress, completed, failed',
    settings: ['videoStatusWords'],
  },
  {
    id: 'C5',
    place: 'Unknown task, older than 7 days',
    grade: 'seen',
    answer: '404 `task_not_exist`',
  },
  {
    id: 'C6',
    place: 'Refusals',
    grade: 'seen',
    answer: '400 `invalid_request`; a model nobody has: 400 `unsupported_model`',
  },
  {
    id: 'C7',
    place: '`url` or `asset_id` (the specification names both)',
    grade: 'assumed',
    answer: 'either; `url` wins; a bare id in `asset_id` is read as `asset://id`',
  },
  {
    id: 'C8',
    place: '`seconds`',
    grade: 'seen',
    answer: 'string, or an integer in its place; anything else 400',
  },
  {
    id: 'C9',
    place: '1080p',
    grade: 'assumed',
    answer:
      'refused for the fast model and for text-only; 480p and 720p for all ("text-to-video is 720p" is read as an upper bound)',
  },
  {
    id: 'C10',
    place: 'Combinations',
    grade: 'seen',
    answer: 'as B9; a `text` item is required',
  },
  {
    id: 'C11',
    place: 'Listing, deleting',
    grade: 'seen',
    answer: "404 as X7. `GET /v1/videos/{id}/content` exists: the video's bytes once succeeded, 400 before",
  },
  {
    id: 'C12',
    place: 'multipart create',
    grade: 'assumed',
    answer: '415, naming JSON',
  },
]
