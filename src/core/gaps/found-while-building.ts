import type { Gap } from './gap.js'

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
