import type { Gap } from './gap.js'

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
