import { durationText } from './duration-text.js'
import { type Failure, grouped, type StepInput, stepOf, type Then, type When } from './grouped.js'
import { type ErrorCatalog, errorOfAnswer } from './named-error.js'
import {
  type FailedJob,
  type FailedTask,
  type LostCallback,
  nthOf,
  type ObservedAnswer,
  type ObservedCall,
  type ObservedSession,
} from './seen.js'

/** What became of what was seen. */
export interface Steps {
  readonly steps: readonly StepInput[]
  /** What no step can do again, and why, a sentence each. */
  readonly left: readonly string[]
}

/** Turns what went wrong into steps, in the order in which it began; what went wrong in the same way is one step. */
export const stepsOf = (
  { calls, failedTasks, lost, failedJobs }: ObservedSession,
  errorCatalog: (operation: string) => ErrorCatalog,
): Steps => {
  const failed = calls.filter(isFailed)
  const wrongs = [
    ...failed.flatMap((call) => wrongCall(call, calls, errorCatalog)),
    ...failedTasks.flatMap((end) => wrongEnd(end, calls)),
    ...failedJobs.map((job) => wrongJob(job, calls)),
    ...lost.map(wrongMessage),
  ].sort((a, b) => a.at - b.at || a.place - b.place)
  return {
    steps: grouped(wrongs).map(stepOf),
    left: [
      ...failed.flatMap(({ operation, method, path }) =>
        operation === undefined ? [`${method} ${path}: no operation has this route`] : [],
      ),
      ...failedTasks.flatMap(({ state, error, create }) =>
        state === 'failed' && error === undefined
          ? [`a task of ${create.operation} failed with an error that its family does not have`]
          : [],
      ),
    ],
  }
}

const isFailed = ({ answer: { status, broken } }: ObservedCall): boolean =>
  status === undefined || status >= 400 || broken !== undefined

const wrongCall = (
  call: ObservedCall,
  calls: readonly ObservedCall[],
  errorCatalog: (operation: string) => ErrorCatalog,
): Failure[] => {
  const { operation, at, answer } = call
  if (operation === undefined) return []
  const says = answer.broken === undefined ? `answered with ${answer.status}` : brokenWords[answer.broken]
  const does =
    answer.broken === undefined
      ? answered(operation, answer, errorCatalog(operation))
      : brokenThen[answer.broken]
  return [{ at, place: calls.indexOf(call), when: { operation }, nth: nthOf(call, calls), does, says }]
}

const brokenWords = {
  reset: 'lost its connection',
  silent: 'got no answer',
  cut: 'got a part of an answer',
} as const

const brokenThen: Readonly<Record<keyof typeof brokenWords, Then>> = {
  reset: { transport: { reset: true } },
  silent: { transport: { hang: true } },
  cut: { transport: { closeAfterBytes: 16 } },
}

const answered = (operation: string, answer: ObservedAnswer, errorCatalog: ErrorCatalog): Then => {
  const { status = 500, headers, json, text } = answer
  if (operation === 'results.download' && status === 403) return { result: { expired: true } }
  if (operation === 'results.download' && status === 404) return { result: { missing: true } }
  const retryAfter = Number(headers['retry-after'] ?? Number.NaN)
  const wait = Number.isInteger(retryAfter) && retryAfter >= 0 ? { retryAfter } : {}
  const error = json === undefined ? undefined : errorOfAnswer(errorCatalog, status, json)
  if (error !== undefined) return { answer: { error, ...wait } }
  if (json !== undefined) return { answer: { status, ...wait, body: json } }
  const type = headers['content-type']
  return {
    answer: { status, ...wait, ...(type === undefined ? {} : { contentType: type }), text: cutText(text) },
  }
}

const MOST_CHARACTERS = 4_000

const cutText = (text = ''): string => text.slice(0, MOST_CHARACTERS)

const wrongEnd = (
  { create, state, error, afterMs }: FailedTask,
  calls: readonly ObservedCall[],
): Failure[] => {
  const after = durationText(afterMs)
  const at = create.at
  const found = {
    ...{ at, place: calls.indexOf(create) },
    ...{ when: { operation: create.operation ?? '' }, nth: nthOf(create, calls) },
  }
  if (state === 'expired')
    return [{ ...found, does: { task: { expires: { after } } }, says: 'a task that expires' }]
  if (error === undefined) return []
  return [{ ...found, does: { task: { fails: { error, after } } }, says: `a task that fails with ${error}` }]
}

const wrongJob = ({ upload, code, message }: FailedJob, calls: readonly ObservedCall[]): Failure => ({
  at: upload.at,
  place: calls.indexOf(upload),
  when: { operation: 'd-assets.upload' },
  nth: nthOf(upload, calls),
  does: { asset: { fails: { code, message } } },
  says: 'a job that fails',
})

const wrongMessage = ({ operation, message, status, nth, at }: LostCallback): Failure => ({
  at,
  place: Number.MAX_SAFE_INTEGER,
  when: {
    operation,
    callback: message === 'challenge' ? 'challenge' : ({ status: status ?? 'succeeded' } as When['callback']),
  },
  nth,
  does: { callback: { never: true } },
  says: message === 'challenge' ? 'a challenge that is lost' : `a callback that is lost`,
})
