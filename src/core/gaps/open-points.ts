import type { Gap } from './gap.js'

/** What is answered where the specification is silent: points that the other tables leave open. */
export const openPoints: readonly Gap[] = [
  {
    id: 'Z1',
    place: 'Media URLs on other hosts',
    grade: 'assumed',
    answer:
      "accepted unseen by default (their facts are unknown, so no rule on facts refuses them; the journal says so). Setting `fetchMedia: none, local, all` (default local: the emulator's own URLs and loopback are read; all: private and public hosts too, with time and size limits); what should be read and cannot be is refused (A `InvalidURL`, others as an invalid parameter)",
    settings: ['fetchMedia'],
  },
  {
    id: 'Z2',
    place: '`--callback-hosts`',
    grade: 'assumed',
    answer:
      'repeatable host names or patterns (`hooks.example.test`, `*.test`, `*`), added to loopback and private addresses. A refused address: the task is made and runs, the callback log says why nothing is sent',
    settings: ['callbackHosts'],
  },
  {
    id: 'Z3',
    place: 'Images and balance',
    grade: 'assumed',
    answer:
      'images cost nothing by default and are not refused at balance 0; setting `imageQuota` (a number of images per account) brings 429 `Throttling.AllocationQuota`; the reserved key `no-balance…` has a quota of 0',
    settings: ['imageQuota'],
  },
  {
    id: 'Z4',
    place: 'Text with audio references alone',
    grade: 'assumed',
    answer:
      "refused in B, C, F (an audio reference needs a visual one beside it), although the specification's mode table can be read otherwise; setting `allowAudioOnly`",
    settings: ['allowAudioOnly'],
  },
  {
    id: 'Z5',
    place: 'Text items in B, C, F',
    grade: 'assumed',
    answer:
      'B: optional when there is media, else required. C, F: required, not empty. More than one is joined by line breaks',
  },
  {
    id: 'Z6',
    place: 'Media forms',
    grade: 'assumed',
    answer: 'C takes asset ids, public URLs and Base64 like B; F takes `asset://` too',
  },
  {
    id: 'Z7',
    place: 'Megabytes',
    grade: 'assumed',
    answer:
      "MB is 2^20 bytes. A 50 MB video in Base64 does not fit F's 64 MB body: the body limit refuses it, and the message says to use a URL",
  },
  {
    id: 'Z8',
    place: '`limits` of an account',
    grade: 'assumed',
    answer: '`requestsPerMinute`, `tasksInFlight`, `imageQuota`; null is no limit',
    settings: ['requestsPerMinute', 'tasksInFlight', 'imageQuota'],
  },
  {
    id: 'Z9',
    place: 'Settings',
    grade: 'assumed',
    answer:
      'every setting named in this file is a key of the configuration file in camelCase, an environment variable `BACKLOT_…` in capitals with underscores, and `--set key=value` on the command line where it has no flag of its own',
  },
  {
    id: 'Z10',
    place: '`--account`',
    grade: 'assumed',
    answer:
      'repeatable: a key, or a JSON or YAML file with a list of `{key, balance, agreementAccepted, limits}`',
    settings: ['account'],
  },
  {
    id: 'Z11',
    place: 'Inbox',
    grade: 'assumed',
    answer:
      'a delivery without a key belongs to the account whose task it reports; a message of no known task to `default`',
  },
  {
    id: 'Z12',
    place: 'Fixtures',
    grade: 'assumed',
    answer:
      '`GET /_backlot/fixtures` lists `{name, kind, facts}`; served to any Host, since they stand for public URLs',
  },
  {
    id: 'Z13',
    place: '`PATCH /_backlot/tasks/{id}`',
    grade: 'assumed',
    answer: "takes effect at the clock's now; `error` is a name of the family's table; an ended task is 409",
  },
  {
    id: 'Z14',
    place: '`advance` to next and idle',
    grade: 'assumed',
    answer:
      'moments of tasks, asset jobs and callbacks (with retries). Expiries are not moments: idle is when nothing is left to happen',
  },
  {
    id: 'Z15',
    place: 'Which clock',
    grade: 'assumed',
    answer:
      "the account's: task moments and the waits between retries. Real time: the 3 s and 5 s that a receiver has to answer",
  },
  {
    id: 'Z16',
    place: 'Callback statuses',
    grade: 'assumed',
    answer: 'every status change after creation, and `queued` first, right after the challenge has passed',
  },
  {
    id: 'Z17',
    place: 'Timing instant',
    grade: 'assumed',
    answer: 'everything happens at creation, in order, callbacks included',
  },
  {
    id: 'Z18',
    place: '`reset`',
    grade: 'assumed',
    answer:
      'tasks, assets, journal, callbacks, scenario counters and ordinals go; the clock goes back to its start; scenarios given at start stay active; account settings go back to their start',
  },
  {
    id: 'Z19',
    place: 'Ordinal',
    grade: 'assumed',
    answer:
      "counts the account's accepted creates and uploads; a refused call does not move it. Request ids come from a counter of their own per account. Signatures of result URLs come from `signingSecret`; without it from the seed on loopback, so that runs repeat, and beyond loopback from a random secret. A state file keeps the secret",
    settings: ['signingSecret', 'seed'],
  },
  {
    id: 'Z20',
    place: 'Numbers as text',
    grade: 'assumed',
    answer: 'where an integer is typed, `"5"` is refused (C and E `seconds` excepted)',
  },
  {
    id: 'Z21',
    place: 'A2 `size`',
    grade: 'assumed',
    answer: 'as A',
  },
  {
    id: 'Z22',
    place: 'D, video',
    grade: 'assumed',
    answer: 'sides 300 to 6000 and ratio 0.4 to 2.5 as for images; 23.976 frames a second counts as 24',
  },
  {
    id: 'Z23',
    place: 'D bodies',
    grade: 'assumed',
    answer:
      '401 `{"code":401,"msg":"Unauthorized","data":null}`; 403 `{"code":403,"msg":"asset library user agreement not accepted","data":null}`',
  },
  {
    id: 'Z24',
    place: 'C and E codes',
    grade: 'assumed',
    answer:
      '401 `invalid_api_key`, 413 `request_too_large`, 415 `unsupported_media_type`, 429 `rate_limit_exceeded`, 500 `internal_error`, 503 `model_not_found`',
  },
  {
    id: 'Z25',
    place: 'F, items without role',
    grade: 'assumed',
    answer:
      'image: the first frame when it is the only image and there is no reference, else 400. Video and audio: the reference role',
  },
  {
    id: 'Z26',
    place: 'F, `adaptive`',
    grade: 'assumed',
    answer: 'as B11',
  },
  {
    id: 'Z27',
    place: 'E query',
    grade: 'assumed',
    answer:
      '`id`, `task_id`, `object`, `model`, `status`, `progress`, `created_at`, `updated_at`, `completed_at`, `seconds`, `size`, `seed`, `error`, and once succeeded `url`, `video_url`, `content.video_url`, `metadata.url`',
  },
  {
    id: 'Z28',
    place: 'Exit codes',
    grade: 'assumed',
    answer:
      'unknown scenario, bad or missing file: 2 when the command cannot run at all (wrong usage, no such file), 1 when what was checked is wrong. SIGINT and SIGTERM: 0 after a clean stop',
  },
  {
    id: 'Z29',
    place: '`Authorization: Bearer` with nothing behind it',
    grade: 'assumed',
    answer:
      'as missing. An unknown path is 404 with or without a key; a known path with another method is 404 as X7',
  },
  {
    id: 'Z30',
    place: "A scenario's name",
    grade: 'assumed',
    answer: 'its `name` field; in `scenarios/` it equals the file name',
  },
  {
    id: 'Z31',
    place: '`[[moderation]]` in a prompt of B to F',
    grade: 'assumed',
    answer:
      'B `InputTextSensitiveContentDetected` 400, C and E `content_policy_violation` 400, F 422 `unprocessable_entity_error` (1026)',
    settings: ['moderationWords'],
  },
  {
    id: 'Z32',
    place: '`watermark` in videos',
    grade: 'assumed',
    answer: 'the `AI生成` mark bottom-right in every frame',
  },
  {
    id: 'Z33',
    place: 'Control token',
    grade: 'assumed',
    answer: 'header `X-Backlot-Token`, or `?token=` for the page',
    settings: ['controlToken'],
  },
]
