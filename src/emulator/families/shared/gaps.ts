import type { Gap } from '../../core/contract.js'

/** Gaps that concern every family. */
// biome-ignore format: one row a line
const everywhere: readonly Gap[] = [
  { id: 'X1', grade: 'assumed', place: 'Credentials', answer: "`Authorization` holds `Bearer KEY`, `bearer KEY` or the key alone. Every key that is not empty opens an account, or only those in `account` where that is set. Of a key shaped like a JWT the `exp` is compared with the account's clock; nothing else is read from a key. Reserved: `invalid` and `invalid-…` are refused with 401, `no-balance…` has no money, `no-agreement…` has not accepted the agreement, `rate-limited…` gets 429 for each create", settings: ['account'] },
  { id: 'X2', grade: 'seen', place: 'A missing or invalid key, B to F', answer: '401, written as the family writes its errors' },
  { id: 'X3', grade: 'seen', place: 'Request id', answer: 'Every answer has the header `X-Request-Id`. A request id in a body is the same one' },
  { id: 'X4', grade: 'seen', place: 'Balance', answer: 'A video is paid for once it succeeds, and its create is refused while the balance is 0 or less: B 403 `AccountOverdueError`, C and E 403 `insufficient_user_quota`, F 402 `insufficient_balance_error`. A, over its image quota: 429 `Throttling.AllocationQuota`. All of these messages say "insufficient balance"', settings: ['balance', 'imageQuota'] },
  { id: 'X5', grade: 'assumed', place: 'Agreement not accepted', answer: 'Accounts begin with an accepted agreement. Without it D answers 403, B 403 `OperationDenied.AgreementNotAccepted`, C and E 403 `access_denied`' },
  { id: 'X6', grade: 'seen', place: 'Rate limits', answer: 'None, unless they are set for an account: creates a minute, or tasks in flight. Beyond them 429, written as the family writes its errors, with whole seconds in `Retry-After`: those until a create is accepted again, and 1 while tasks are in flight', settings: ['requestsPerMinute', 'tasksInFlight'] },
  { id: 'X7', grade: 'seen', place: 'Unknown path', answer: '404 with `{"error":{"message":"Invalid URL (GET /x)","type":"invalid_request_error","param":"","code":""}}`' },
  { id: 'X8', grade: 'seen', place: 'Unreadable JSON', answer: '400, written as the family writes its errors' },
  { id: 'X9', grade: 'seen', place: 'Result files', answer: 'Their URLs begin with the `Host` of the request (the `X-Forwarded-Host` of one of `trustedProxies`), or with `publicUrl`, and carry an expiry and a signature, which is Base64 with at least one `%2B`, one `%2F` and one `%3D`, so that a URL that is encoded twice or decoded once too often no longer fits. Once expired, or with another signature, they answer 403 with the XML of object stores: `<Error><Code>AccessDenied</Code><Message>Request has expired.</Message>…</Error>`. GET, HEAD and Range work from any origin, with ETag and correct `Content-Type` and `Content-Length`', settings: ['publicUrl', 'trustedProxies'] },
  { id: 'X10', grade: 'seen', place: 'Error `code`', answer: 'A string; in D the number that the specification shows' },
  { id: 'X11', grade: 'assumed', place: 'Unknown body fields, and unknown parameters of a list', answer: 'They change nothing, and the journal names them. `strict` refuses the fields', settings: ['strict'] },
  { id: 'X12', grade: 'seen', place: 'Timestamps', answer: "Whole Unix seconds by the account's clock", settings: ['startAt'] },
  { id: 'X13', grade: 'seen', place: '`null` in a body', answer: 'An optional field that is null counts as one that was not sent, at every depth, and the journal names it; `strict` refuses it. A required field, or an item of a list, that is null is 400', settings: ['strict'] },
  { id: 'X14', grade: 'seen', place: 'A key sent along to a signed result URL', answer: 'The file is served, and the journal warns that the key left for another host. With `resultAuthorization: refuse` the answer is 400 with an XML body whose code is `InvalidArgument`, as object stores answer', settings: ['resultAuthorization'] },
]

/** Gaps about further points. */
// biome-ignore format: one row a line
const openPoints: readonly Gap[] = [
  { id: 'Z1', grade: 'assumed', place: 'Media URLs on other hosts', answer: "`fetchMedia: local`, the default, reads the emulator's own URLs and loopback; `all` reads every host, within limits of time and size; `none` reads nothing. A URL that is not read is accepted: no rule on facts can refuse it, and the journal notes that. One that cannot be fetched is refused, in A as `InvalidURL`, elsewhere as an invalid parameter; so is what was fetched and is no such medium, in A too as an invalid parameter", settings: ['fetchMedia'] },
  { id: 'Z2', grade: 'assumed', place: 'Hosts of callbacks', answer: 'Loopback and private addresses, and what `callbackHosts` adds: names or patterns (`hooks.example.test`, `*.test`, `*`), as many as are needed. For any other address the task runs, nothing is sent, and the callback log gives the reason', settings: ['callbackHosts'] },
  { id: 'Z3', grade: 'assumed', place: 'Images and balance', answer: 'Images are free, and are made at balance 0 too. `imageQuota` is the number that an account may make; further ones are 429 `Throttling.AllocationQuota`. Keys `no-balance…` have a quota of 0', settings: ['imageQuota'] },
  { id: 'Z4', grade: 'assumed', place: 'Text with audio references alone', answer: "B, C and F refuse it: audio needs an image or a video beside it. The specification's modes may be read either way, so `allowAudioOnly` permits it", settings: ['allowAudioOnly'] },
  { id: 'Z5', grade: 'assumed', place: 'Text items in B, C, F', answer: 'C and F need one that is not empty, B only where there are no media. Several are joined with a line break between them' },
  { id: 'Z6', grade: 'assumed', place: 'Media forms', answer: 'C reads asset ids, URLs and Base64, as B does. F reads `asset://` in addition' },
  { id: 'Z7', grade: 'assumed', place: 'Megabytes', answer: '2^20 bytes each. A video of 50 MB as Base64 is therefore more than the 64 MB that F allows for a body, and its refusal recommends a URL' },
  { id: 'Z8', grade: 'assumed', place: '`limits` of an account', answer: '`requestsPerMinute`, `tasksInFlight` and `imageQuota`, each a number, or null for unlimited', settings: ['requestsPerMinute', 'tasksInFlight', 'imageQuota'] },
  { id: 'Z9', grade: 'assumed', place: 'How settings are given', answer: 'In the configuration file in camelCase; in the environment as `BACKLOT_…`, in capitals with underscores; on the command line as `--set key=value`, or by a flag where there is one' },
  { id: 'Z10', grade: 'assumed', place: '`--account`', answer: 'A key, or a JSON or YAML file that lists objects of `key`, `balance`, `agreementAccepted` and `limits`. It can be repeated', settings: ['account'] },
  { id: 'Z11', grade: 'assumed', place: 'Inbox', answer: 'It asks for no key: a delivery belongs to the account of the task that it reports, and to `default` where no task is known by its id' },
  { id: 'Z12', grade: 'assumed', place: 'Fixtures', answer: '`GET /_backlot/fixtures` gives their `name`, `kind` and `facts`. They can be fetched under any `Host`, as public URLs can' },
  { id: 'Z13', grade: 'assumed', place: '`PATCH /_backlot/tasks/{id}`', answer: "The change happens at the present instant of the clock. `error` is one of the family's names. A task that has ended is 409, and so is one that would go back, such as from `running` to `queued`" },
  { id: 'Z14', grade: 'assumed', place: '`advance` to next and idle', answer: 'What counts is a moment of a task, an asset job or a callback, its retries included. Expiries do not count, so an account is idle before its results expire' },
  { id: 'Z15', grade: 'assumed', place: 'Which clock', answer: "Moments of tasks, and the pauses before retries, follow the account's clock. The 3 s and 5 s in which receivers must answer are real time" },
  { id: 'Z16', grade: 'assumed', place: 'Callback statuses', answer: '`queued` is sent once the challenge has passed, and then every later status' },
  { id: 'Z17', grade: 'assumed', place: 'Timing instant', answer: 'The create itself brings all moments of a task and its callbacks, one after another' },
  { id: 'Z18', grade: 'assumed', place: '`reset`', answer: 'Removes tasks, assets, journal and callbacks; ordinals and the counters of scenarios begin again; clock and account settings return to their initial values. Scenarios that were given at start stay' },
  { id: 'Z19', grade: 'assumed', place: 'Ordinal', answer: 'The number of creates and uploads that an account has accepted; refused calls do not count. Request ids are counted apart. `signingSecret` signs result URLs. Where it is not set, loopback derives a secret from the seed, so that runs repeat, and other addresses draw a random one, which a state file keeps', settings: ['signingSecret', 'seed'] },
  { id: 'Z20', grade: 'assumed', place: 'Numbers as text', answer: '`"5"` is refused for an integer, but for `seconds` in C and E' },
  { id: 'Z21', grade: 'assumed', place: 'A2 `size`', answer: 'The same as in A' },
  { id: 'Z22', grade: 'assumed', place: 'D, video', answer: 'Sides and ratio have the limits that images have: 300 to 6000, and 0.4 to 2.5. 23.976 frames a second pass as 24' },
  { id: 'Z23', grade: 'assumed', place: 'D bodies', answer: '`{"code":401,"msg":"Unauthorized","data":null}` with 401, and `{"code":403,"msg":"asset library user agreement not accepted","data":null}` with 403' },
  { id: 'Z24', grade: 'assumed', place: 'C and E codes', answer: '`invalid_api_key` (401), `request_too_large` (413), `unsupported_media_type` (415), `rate_limit_exceeded` (429), `internal_error` (500), `model_not_found` (503)' },
  { id: 'Z25', grade: 'assumed', place: 'F, items without role', answer: 'The only image is the first frame where no reference is beside it; any other image is 400. Videos and audios are references' },
  { id: 'Z26', grade: 'assumed', place: 'F, `adaptive`', answer: 'Chosen as in B (B11)' },
  { id: 'Z27', grade: 'assumed', place: 'E query', answer: '`id`, `task_id`, `object`, `model`, `status`, `progress`, `seconds`, `size`, `seed`, `error` and the times `created_at`, `updated_at`, `completed_at`. Once succeeded, the URL as `url`, `video_url`, `content.video_url` and `metadata.url`' },
  { id: 'Z28', grade: 'assumed', place: 'Exit codes', answer: '2: the command could not begin, by wrong usage or for a file or scenario that does not exist. 1: what it examined is wrong. 0: also after SIGINT or SIGTERM, where it stopped cleanly' },
  { id: 'Z29', grade: 'assumed', place: '`Authorization: Bearer` without a key', answer: 'Like no header at all. A path that does not exist, and a method that a path does not have, are 404 (X7) with and without a key' },
  { id: 'Z30', grade: 'assumed', place: "A scenario's name", answer: 'Its field `name`, which is also the name of its file in `scenarios/`' },
  { id: 'Z31', grade: 'assumed', place: '`[[moderation]]` in a prompt of B to F', answer: 'B 400 `InputTextSensitiveContentDetected`; C and E 400 `content_policy_violation`; F 422 `unprocessable_entity_error` (1026)', settings: ['moderationWords'] },
  { id: 'Z32', grade: 'assumed', place: '`watermark` in videos', answer: 'Each frame shows `AI生成` in its bottom right corner' },
  { id: 'Z33', grade: 'assumed', place: 'Control token', answer: 'The header `X-Backlot-Token` carries it, or `?token=` where a client can set no header; the address of the page has it as `#token=`', settings: ['controlToken'] },
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
  { id: 'N21', grade: 'assumed', place: 'B, list, and D, resolve: a query parameter that comes more than once', answer: '400, which names it. `filter.task_ids` may be repeated (B5)' },
  { id: 'N23', grade: 'assumed', place: 'Several mistakes in one create', answer: 'One is answered: that of the first check that fails. The checks are, in this order: path and method, key, `requestsPerMinute`, body (its form, size and JSON), `model`, the schema of the other fields, unknown fields with `strict`, agreement, the rules of the family, moderation, balance or image quota, `tasksInFlight`. The journal has every mistake that this check found, and from the agreement on also those of the checks after it' },
  { id: 'N24', grade: 'assumed', place: 'D: folders and control characters in the name of a file', answer: 'Of a name with folders the last part counts, behind slashes and backslashes alike, as gateways read it. Control characters, `.` and `..` are 400, as a name that is too long' },
  { id: 'N25', grade: 'assumed', place: 'F: a mark on the video', answer: '`aigc_watermark`, a boolean, and `watermark` in its place, default false: either puts the mark of the other families on the video' },
  { id: 'N26', grade: 'assumed', place: '`variant` of `GET /v1/videos/{id}/content`', answer: '`video`, or none. Any other is 400: there is nothing but the video' },
  { id: 'N27', grade: 'assumed', place: 'A header `X-…-Async` on the interface of images', answer: 'It changes nothing, and the journal says so: pictures are made at once, and no task is' },
]

/** Gaps that are of no chapter alone. */
export const commonGaps = { everywhere, openPoints, foundWhileBuilding }
