import type { Gap } from './gap.js'

/** What turned out to be open while the emulator was built; all of it assumed. */
export const foundWhileBuilding: readonly Gap[] = [
  {
    id: 'N1',
    place: 'What a rate limit counts',
    grade: 'assumed',
    answer:
      'Creates and uploads that were accepted in the last 60 seconds, also those from before the limit was set. Queries, lists and downloads are never limited',
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
      'A list moves the clock only when it names its tasks with `filter.task_ids`, to the soonest of their moments',
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
]
