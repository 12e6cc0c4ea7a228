import type { Gap } from '../../core/contract.js'

/** Gaps that concern every family. */
// biome-ignore format: one row a line
const everywhere: readonly Gap[] = [
  { id: 'X1', grade: 'assumed', place: 'Credentials', answer: "`Authorization: Bearer KEY`, `bearer KEY` and bare `KEY` are all read. Any non-empty key is a valid account, unless a list of accounts is configured: then only those. Keys are opaque; a token shaped like a JWT whose `exp` has passed on the account's clock is invalid. Reserved keys that always behave in one way: `invalid` and anything that begins with `invalid-` (401), `no-balance…` (an account with balance 0), `no-agreement…` (agreement not accepted), `rate-limited…` (every create is 429)", settings: ['account'] },
  { id: 'X2', grade: 'seen', place: '401 in B to F', answer: "HTTP 401 in each family's own error shape (below)" },
  { id: 'X3', grade: 'seen', place: 'Request id', answer: '`X-Request-Id` on every answer, the same id as in the bodies that carry one' },
  { id: 'X4', grade: 'seen', place: 'Balance', answer: 'The account needs balance > 0 to create a video task. A task is charged when it succeeds. Refusal: B 403 `AccountOverdueError`; C and E 403 `insufficient_user_quota`; F 402 `insufficient_balance_error`; A (image quota) 429 `Throttling.AllocationQuota`. Each message contains the words "insufficient balance"', settings: ['balance', 'imageQuota'] },
  { id: 'X5', grade: 'assumed', place: 'Agreement not accepted', answer: 'D 403; B 403 `OperationDenied.AgreementNotAccepted`; C and E 403 `access_denied`. Accepted by default' },
  { id: 'X6', grade: 'seen', place: 'Rate limits', answer: "Off by default. When set (requests per minute, tasks in flight, per account): 429 with `Retry-After` in whole seconds, in the family's shape", settings: ['requestsPerMinute', 'tasksInFlight'] },
  { id: 'X7', grade: 'seen', place: 'Unknown path', answer: '404 `{"error":{"message":"Invalid URL (GET /x)","type":"invalid_request_error","param":"","code":""}}`' },
  { id: 'X8', grade: 'seen', place: 'Unreadable JSON', answer: "400 in the family's shape" },
  { id: 'X9', grade: 'seen', place: 'Result files', answer: "Absolute URLs on the emulator's own host, taken from the request's `Host` (or the configured public URL), with an expiry and a signature in the query. After expiry, or with a wrong signature: 403 with an XML body `<Error><Code>AccessDenied</Code><Message>Request has expired.</Message>…</Error>` as object stores answer. GET, HEAD, Range, ETag, right Content-Type and Content-Length; CORS open", settings: ['publicUrl'] },
  { id: 'X10', grade: 'seen', place: 'Error `code`', answer: "always a string in A, B, C, E, F (D's `code` is the number the specification shows)" },
  { id: 'X11', grade: 'assumed', place: 'Unknown body fields', answer: 'ignored, and listed in the journal entry as ignored; `strict: true` refuses them', settings: ['strict'] },
  { id: 'X12', grade: 'seen', place: 'Timestamps', answer: "Unix seconds, integers, of the emulator's clock", settings: ['startAt'] },
]

/** Gaps about further points. */
// biome-ignore format: one row a line
const openPoints: readonly Gap[] = [
  { id: 'Z1', grade: 'assumed', place: 'Media URLs on other hosts', answer: "accepted unseen by default (their facts are unknown, so no rule on facts refuses them; the journal says so). Setting `fetchMedia: none, local, all` (default local: the emulator's own URLs and loopback are read; all: private and public hosts too, with time and size limits); what should be read and cannot be is refused (A `InvalidURL`, others as an invalid parameter)", settings: ['fetchMedia'] },
  { id: 'Z2', grade: 'assumed', place: '`--callback-hosts`', answer: 'repeatable host names or patterns (`hooks.example.test`, `*.test`, `*`), added to loopback and private addresses. A refused address: the task is made and runs, the callback log says why nothing is sent', settings: ['callbackHosts'] },
  { id: 'Z3', grade: 'assumed', place: 'Images and balance', answer: 'images cost nothing by default and are not refused at balance 0; setting `imageQuota` (a number of images per account) brings 429 `Throttling.AllocationQuota`; the reserved key `no-balance…` has a quota of 0', settings: ['imageQuota'] },
  { id: 'Z4', grade: 'assumed', place: 'Text with audio references alone', answer: "refused in B, C, F (an audio reference needs a visual one beside it), although the specification's mode table can be read otherwise; setting `allowAudioOnly`", settings: ['allowAudioOnly'] },
  { id: 'Z5', grade: 'assumed', place: 'Text items in B, C, F', answer: 'B: optional when there is media, else required. C, F: required, not empty. More than one is joined by line breaks' },
  { id: 'Z6', grade: 'assumed', place: 'Media forms', answer: 'C takes asset ids, public URLs and Base64 like B; F takes `asset://` too' },
  { id: 'Z7', grade: 'assumed', place: 'Megabytes', answer: "MB is 2^20 bytes. A 50 MB video in Base64 does not fit F's 64 MB body: the body limit refuses it, and the message says to use a URL" },
  { id: 'Z8', grade: 'assumed', place: '`limits` of an account', answer: '`requestsPerMinute`, `tasksInFlight`, `imageQuota`; null is no limit', settings: ['requestsPerMinute', 'tasksInFlight', 'imageQuota'] },
  { id: 'Z9', grade: 'assumed', place: 'Settings', answer: 'every setting named in this file is a key of the configuration file in camelCase, an environment variable `BACKLOT_…` in capitals with underscores, and `--set key=value` on the command line where it has no flag of its own' },
  { id: 'Z10', grade: 'assumed', place: '`--account`', answer: 'repeatable: a key, or a JSON or YAML file with a list of `{key, balance, agreementAccepted, limits}`', settings: ['account'] },
  { id: 'Z11', grade: 'assumed', place: 'Inbox', answer: 'a delivery without a key belongs to the account whose task it reports; a message of no known task to `default`' },
  { id: 'Z12', grade: 'assumed', place: 'Fixtures', answer: '`GET /_backlot/fixtures` lists `{name, kind, facts}`; served to any Host, since they stand for public URLs' },
  { id: 'Z13', grade: 'assumed', place: '`PATCH /_backlot/tasks/{id}`', answer: "takes effect at the clock's now; `error` is a name of the family's table; an ended task is 409" },
  { id: 'Z14', grade: 'assumed', place: '`advance` to next and idle', answer: 'moments of tasks, asset jobs and callbacks (with retries). Expiries are not moments: idle is when nothing is left to happen' },
  { id: 'Z15', grade: 'assumed', place: 'Which clock', answer: "the account's: task moments and the waits between retries. Real time: the 3 s and 5 s that a receiver has to answer" },
  { id: 'Z16', grade: 'assumed', place: 'Callback statuses', answer: 'every status change after creation, and `queued` first, right after the challenge has passed' },
  { id: 'Z17', grade: 'assumed', place: 'Timing instant', answer: 'everything happens at creation, in order, callbacks included' },
  { id: 'Z18', grade: 'assumed', place: '`reset`', answer: 'tasks, assets, journal, callbacks, scenario counters and ordinals go; the clock goes back to its start; scenarios given at start stay active; account settings go back to their start' },
  { id: 'Z19', grade: 'assumed', place: 'Ordinal', answer: "counts the account's accepted creates and uploads; a refused call does not move it. Request ids come from a counter of their own per account. Signatures of result URLs come from `signingSecret`; without it from the seed on loopback, so that runs repeat, and beyond loopback from a random secret. A state file keeps the secret", settings: ['signingSecret', 'seed'] },
  { id: 'Z20', grade: 'assumed', place: 'Numbers as text', answer: 'where an integer is typed, `"5"` is refused (C and E `seconds` excepted)' },
  { id: 'Z21', grade: 'assumed', place: 'A2 `size`', answer: 'as A' },
  { id: 'Z22', grade: 'assumed', place: 'D, video', answer: 'sides 300 to 6000 and ratio 0.4 to 2.5 as for images; 23.976 frames a second counts as 24' },
  { id: 'Z23', grade: 'assumed', place: 'D bodies', answer: '401 `{"code":401,"msg":"Unauthorized","data":null}`; 403 `{"code":403,"msg":"asset library user agreement not accepted","data":null}`' },
  { id: 'Z24', grade: 'assumed', place: 'C and E codes', answer: '401 `invalid_api_key`, 413 `request_too_large`, 415 `unsupported_media_type`, 429 `rate_limit_exceeded`, 500 `internal_error`, 503 `model_not_found`' },
  { id: 'Z25', grade: 'assumed', place: 'F, items without role', answer: 'image: the first frame when it is the only image and there is no reference, else 400. Video and audio: the reference role' },
  { id: 'Z26', grade: 'assumed', place: 'F, `adaptive`', answer: 'as B11' },
  { id: 'Z27', grade: 'assumed', place: 'E query', answer: '`id`, `task_id`, `object`, `model`, `status`, `progress`, `created_at`, `updated_at`, `completed_at`, `seconds`, `size`, `seed`, `error`, and once succeeded `url`, `video_url`, `content.video_url`, `metadata.url`' },
  { id: 'Z28', grade: 'assumed', place: 'Exit codes', answer: 'unknown scenario, bad or missing file: 2 when the command cannot run at all (wrong usage, no such file), 1 when what was checked is wrong. SIGINT and SIGTERM: 0 after a clean stop' },
  { id: 'Z29', grade: 'assumed', place: '`Authorization: Bearer` with nothing behind it', answer: 'as missing. An unknown path is 404 with or without a key; a known path with another method is 404 as X7' },
  { id: 'Z30', grade: 'assumed', place: "A scenario's name", answer: 'its `name` field; in `scenarios/` it equals the file name' },
  { id: 'Z31', grade: 'assumed', place: '`[[moderation]]` in a prompt of B to F', answer: 'B `InputTextSensitiveContentDetected` 400, C and E `content_policy_violation` 400, F 422 `unprocessable_entity_error` (1026)', settings: ['moderationWords'] },
  { id: 'Z32', grade: 'assumed', place: '`watermark` in videos', answer: 'the `AI生成` mark bottom-right in every frame' },
  { id: 'Z33', grade: 'assumed', place: 'Control token', answer: 'header `X-Backlot-Token`, or `?token=` for the page', settings: ['controlToken'] },
]

/** Gaps found while building. */
// biome-ignore format: one row a line
const foundWhileBuilding: readonly Gap[] = [
  { id: 'N1', grade: 'assumed', place: 'What a rate limit counts', answer: 'Creates and uploads that were accepted in the last 60 seconds, also those from before the limit was set. Queries, lists and downloads are never limited. It comes after the key and before the body: one that cannot be read, or is too large, is 429 too', settings: ['requestsPerMinute'] },
  { id: 'N2', grade: 'assumed', place: 'A text item that is empty, or of blanks alone, in A', answer: '400 `InvalidParameter`, as a missing one' },
  { id: 'N3', grade: 'assumed', place: 'The result URL of a task that was deleted', answer: '404 with an XML body `<Error><Code>NoSuchKey</Code>…`, as object stores answer' },
  { id: 'N4', grade: 'assumed', place: 'Lists and on-poll clocks', answer: 'A list moves the clock only when it names its tasks with `filter.task_ids`, to the soonest of their moments; not where it is refused, or shows none of them whatever their status' },
  { id: 'N5', grade: 'assumed', place: 'B, callbacks: the first status', answer: '`queued` is posted first, as in F (Z16)' },
  { id: 'N6', grade: 'assumed', place: 'C and E, openai-style words', answer: '`cancelled` and `expired` are said as `failed`; the error of a cancelled task is then `task_cancelled`', settings: ['videoStatusWords'] },
  { id: 'N7', grade: 'assumed', place: 'E: ids, and how long things live', answer: '`r2v-YYYYMMDDHHMMSS-xxxxx`; result URLs 14 days, tasks queryable for 7 days, cancelled ones gone after 24 hours, as in C' },
  { id: 'N8', grade: 'assumed', place: 'F: how long things live', answer: 'Result URLs 14 days; a cancelled task stays for the 7 days in which tasks can be queried' },
  { id: 'N9', grade: 'spec', place: 'F: agreement', answer: 'Not asked for: the specification names families B to E' },
  { id: 'N10', grade: 'assumed', place: 'D: two jobs with the same id in one second', answer: 'The four digits are spread over an account’s uploads; where another account has them, the next free ones are taken' },
  { id: 'N11', grade: 'assumed', place: 'Characters of a text', answer: 'Unicode code points, so that a letter outside the basic plane counts once' },
  { id: 'N12', grade: 'assumed', place: 'JSON bodies of many levels or many values', answer: 'More than 100 levels, or more than 10,000 values, are refused as an invalid parameter' },
  { id: 'N13', grade: 'assumed', place: 'D and F, frame rates', answer: 'A video that is within 0.05 % of 23.976, 24, 25, 29.97, 30, 50, 59.94 or 60 frames a second has that rate, since files count in whole ticks; 23.97 is 23.976' },
  { id: 'N14', grade: 'assumed', place: 'HEAD of a path that has a GET', answer: 'The status and headers of GET without the body, also of `GET /v1/videos/{id}/content` (C11)' },
  { id: 'N15', grade: 'assumed', place: '`GET /v1/videos/{id}/content` and on-poll clocks', answer: 'A status query like any other: of a task that has not ended it moves the clock to its next moment' },
  { id: 'N16', grade: 'assumed', place: 'Media URLs that redirect', answer: 'Up to three redirects are followed from loopback to loopback, each by the rules of Z1; any other is refused, with the host that it leads to', settings: ['fetchMedia'] },
  { id: 'N17', grade: 'assumed', place: 'Conditional downloads', answer: '`If-None-Match` with the ETag is 304, whatever `Cache-Control` the request has, as object stores answer' },
  { id: 'N18', grade: 'assumed', place: 'F: the role of a text item', answer: 'Any of the five roles is taken. It counts where frame roles and reference roles may not stand together (§F roles), and for nothing else: a text is no frame and no reference, also of gamma-H3-Max' },
  { id: 'N19', grade: 'assumed', place: 'B: a task of C that failed (C2)', answer: 'A name of C for which B has its own is said as that: `content_policy_violation` as `OutputVideoSensitiveContentDetected`, `internal_error` as `InternalServiceError`. Any other keeps its name and its sentence, on C as on B' },
  { id: 'N20', grade: 'assumed', place: 'A body with a DELETE', answer: 'It is ignored, like that of a GET' },
]

/** Gaps that are of no chapter alone. */
export const commonGaps = { everywhere, openPoints, foundWhileBuilding }
