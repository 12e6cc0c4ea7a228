import type { Gap } from '../../core/contract.js'

/** What is answered where the specification is silent: Everywhere. */
export const everywhere: readonly Gap[] = [
  {
    id: 'X1',
    place: 'Credentials',
    grade: 'assumed',
    answer:
      "`Authorization: Bearer KEY`, `bearer KEY` and bare `KEY` are all read. Any non-empty key is a valid account, unless a list of accounts is configured: then only those. Keys are opaque; a token shaped like a JWT whose `exp` has passed on the account's clock is invalid. Reserved keys that always behave in one way: `invalid` and anything that begins with `invalid-` (401), `no-balance…` (an account with balance 0), `no-agreement…` (agreement not accepted), `rate-limited…` (every create is 429)",
    settings: ['account'],
  },
  {
    id: 'X2',
    place: '401 in B to F',
    grade: 'seen',
    answer: "HTTP 401 in each family's own error shape (below)",
  },
  {
    id: 'X3',
    place: 'Request id',
    grade: 'seen',
    answer: '`X-Request-Id` on every answer, the same id as in the bodies that carry one',
  },
  {
    id: 'X4',
    place: 'Balance',
    grade: 'seen',
    answer:
      'The account needs balance > 0 to create a video task. A task is charged when it succeeds. Refusal: B 403 `AccountOverdueError`; C and E 403 `insufficient_user_quota`; F 402 `insufficient_balance_error`; A (image quota) 429 `Throttling.AllocationQuota`. Each message contains the words "insufficient balance"',
    settings: ['balance', 'imageQuota'],
  },
  {
    id: 'X5',
    place: 'Agreement not accepted',
    grade: 'assumed',
    answer:
      'D 403; B 403 `OperationDenied.AgreementNotAccepted`; C and E 403 `access_denied`. Accepted by default',
  },
  {
    id: 'X6',
    place: 'Rate limits',
    grade: 'seen',
    answer:
      "Off by default. When set (requests per minute, tasks in flight, per account): 429 with `Retry-After` in whole seconds, in the family's shape",
    settings: ['requestsPerMinute', 'tasksInFlight'],
  },
  {
    id: 'X7',
    place: 'Unknown path',
    grade: 'seen',
    answer:
      '404 `{"error":{"message":"Invalid URL (GET /x)","type":"invalid_request_error","param":"","code":""}}`',
  },
  {
    id: 'X8',
    place: 'Unreadable JSON',
    grade: 'seen',
    answer: "400 in the family's shape",
  },
  {
    id: 'X9',
    place: 'Result files',
    grade: 'seen',
    answer:
      "Absolute URLs on the emulator's own host, taken from the request's `Host` (or the configured public URL), with an expiry and a signature in the query. After expiry, or with a wrong signature: 403 with an XML body `<Error><Code>AccessDenied</Code><Message>Request has expired.</Message>…</Error>` as object stores answer. GET, HEAD, Range, ETag, right Content-Type and Content-Length; CORS open",
    settings: ['publicUrl'],
  },
  {
    id: 'X10',
    place: 'Error `code`',
    grade: 'seen',
    answer: "always a string in A, B, C, E, F (D's `code` is the number the specification shows)",
  },
  {
    id: 'X11',
    place: 'Unknown body fields',
    grade: 'assumed',
    answer: 'ignored, and listed in the journal entry as ignored; `strict: true` refuses them',
    settings: ['strict'],
  },
  {
    id: 'X12',
    place: 'Timestamps',
    grade: 'seen',
    answer: "Unix seconds, integers, of the emulator's clock",
    settings: ['startAt'],
  },
]

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

/** What turned out to be open while the emulator was built; all of it assumed. */
export const foundWhileBuilding: readonly Gap[] = [
  {
    id: 'N1',
    place: 'What a rate limit counts',
    grade: 'assumed',
    answer:
      'Creates and uploads that were accepted in the last 60 seconds, also those from before the limit was set. Queries, lists and downloads are never limited. It comes after the key and before the body: one that cannot be read, or is too large, is 429 too',
    settings: ['requestsPerMinute'],
  },
  {
    id: 'N2',
    place: 'A text item that is empty, or of blanks alone, in A',
    grade: 'assumed',
    answer: '400 `InvalidParameter`, as a missing one',
  },
  {
    id: 'N3',
    place: 'The result URL of a task that was deleted',
    grade: 'assumed',
    answer: '404 with an XML body `<Error><Code>NoSuchKey</Code>…`, as object stores answer',
  },
  {
    id: 'N4',
    place: 'Lists and on-poll clocks',
    grade: 'assumed',
    answer:
      'A list moves the clock only when it names its tasks with `filter.task_ids`, to the soonest of their moments; not where it is refused, or shows none of them whatever their status',
  },
  {
    id: 'N5',
    place: 'B, callbacks: the first status',
    grade: 'assumed',
    answer: '`queued` is posted first, as in F (Z16)',
  },
  {
    id: 'N6',
    place: 'C and E, openai-style words',
    grade: 'assumed',
    answer:
      '`cancelled` and `expired` are said as `failed`; the error of a cancelled task is then `task_cancelled`',
    settings: ['videoStatusWords'],
  },
  {
    id: 'N7',
    place: 'E: ids, and how long things live',
    grade: 'assumed',
    answer:
      '`r2v-YYYYMMDDHHMMSS-xxxxx`; result URLs 14 days, tasks queryable for 7 days, cancelled ones gone after 24 hours, as in C',
  },
  {
    id: 'N8',
    place: 'F: how long things live',
    grade: 'assumed',
    answer: 'Result URLs 14 days; a cancelled task stays for the 7 days in which tasks can be queried',
  },
  {
    id: 'N9',
    place: 'F: agreement',
    grade: 'spec',
    answer: 'Not asked for: the specification names families B to E',
  },
  {
    id: 'N10',
    place: 'D: two jobs with the same id in one second',
    grade: 'assumed',
    answer:
      'The four digits are spread over an account’s uploads; where another account has them, the next free ones are taken',
  },
  {
    id: 'N11',
    place: 'Characters of a text',
    grade: 'assumed',
    answer: 'Unicode code points, so that a letter outside the basic plane counts once',
  },
  {
    id: 'N12',
    place: 'JSON bodies of many levels or many values',
    grade: 'assumed',
    answer: 'More than 100 levels, or more than 10,000 values, are refused as an invalid parameter',
  },
  {
    id: 'N13',
    place: 'D and F, frame rates',
    grade: 'assumed',
    answer:
      'A video that is within 0.05 % of 23.976, 24, 25, 29.97, 30, 50, 59.94 or 60 frames a second has that rate, since files count in whole ticks; 23.97 is 23.976',
  },
  {
    id: 'N14',
    place: 'HEAD of a path that has a GET',
    grade: 'assumed',
    answer: 'The status and headers of GET without the body, also of `GET /v1/videos/{id}/content` (C11)',
  },
  {
    id: 'N15',
    place: '`GET /v1/videos/{id}/content` and on-poll clocks',
    grade: 'assumed',
    answer:
      'A status query like any other: of a task that has not ended it moves the clock to its next moment',
  },
  {
    id: 'N16',
    place: 'Media URLs that redirect',
    grade: 'assumed',
    answer:
      'Up to three redirects are followed from loopback to loopback, each by the rules of Z1; any other is refused, with the host that it leads to',
    settings: ['fetchMedia'],
  },
  {
    id: 'N17',
    place: 'Conditional downloads',
    grade: 'assumed',
    answer:
      '`If-None-Match` with the ETag is 304, whatever `Cache-Control` the request has, as object stores answer',
  },
  {
    id: 'N18',
    place: 'F: the role of a text item',
    grade: 'assumed',
    answer:
      'Any of the five roles is taken. It counts where frame roles and reference roles may not stand together (§F content rules 3), and for nothing else: a text is no frame and no reference, also of gamma-H3-Max',
  },
  {
    id: 'N19',
    place: 'B: a task of C that failed (C2)',
    grade: 'assumed',
    answer:
      'A name of C for which B has its own is said as that: `content_policy_violation` as `OutputVideoSensitiveContentDetected`, `internal_error` as `InternalServiceError`. Any other keeps its name and its sentence, on C as on B',
  },
  {
    id: 'N20',
    place: 'A body with a DELETE',
    grade: 'assumed',
    answer: 'It is ignored, whatever it is, as that of a GET',
  },
]
