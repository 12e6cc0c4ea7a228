import type { ScenarioInput } from '../../core/scenario/schema.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../core/schedule/duration.js'
import { type ErrorCatalog, errorOfAnswer } from './error-catalog.js'
import {
  type FailedJob,
  type FailedTask,
  fieldsOf,
  idIn,
  type LostCallback,
  nthOf,
  type ObservedAnswer,
  type ObservedCall,
  type ObservedSession,
} from './observed.js'

/** What became of what was seen. */
interface Steps {
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

type StepInput = ScenarioInput['steps'][number]
type When = NonNullable<StepInput['when']>
type Then = StepInput['then']

/** Something that went wrong, as a step that does it again. */
interface Failure {
  readonly at: number
  /** The place of the call that it is about among all calls; behind them where it is about a message. */
  readonly place: number
  readonly when: Omit<When, 'nth'>
  readonly nth: number
  readonly does: Then
  /** What it was, in a few words: "answered with 429". */
  readonly says: string
}

/** What went wrong in the same way, with the number of every call to which it happened. */
type Group = Failure & { readonly all: readonly number[] }

const grouped = (wrongs: readonly Failure[]): Group[] => {
  const groups = new Map<string, Failure & { readonly all: number[] }>()
  for (const wrong of wrongs) {
    const name = JSON.stringify([wrong.when, wrong.does])
    const known = groups.get(name) ?? { ...wrong, all: [] }
    groups.set(name, known)
    if (!known.all.includes(wrong.nth)) known.all.push(wrong.nth)
  }
  return [...groups.values()]
}

/** A step that does it to all of them again. */
const stepOf = ({ when, does, says, all }: Group): StepInput => ({
  description: `${String(when.operation)}, ${all.length === 1 ? 'number' : 'numbers'} ${all.join(', ')}: ${says}`,
  when: { ...when, ...countsOf([...all].sort((a, b) => a - b)) },
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  then: does,
  required: true,
})

/** The shortest way to name these calls, which are in order. */
const countsOf = (all: readonly number[]): Pick<When, 'nth' | 'first' | 'after'> => {
  const [first = 1, last = first] = [all[0], all.at(-1)]
  if (all.length === 1) return { nth: first }
  const isRow = last - first + 1 === all.length
  if (!isRow || all.length === 2) return { nth: [...all] }
  return first === 1 ? { first: last } : { first: last, after: first - 1 }
}

const units = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
] as const

/** Milliseconds as scenario files write them, exactly: `3h`, `1500ms`. */
export const durationText = (ms: number): string => {
  const whole = Math.max(0, Math.round(ms))
  const unit = units.find(([, length]) => whole > 0 && whole % length === 0)
  return unit === undefined ? `${whole}ms` : `${whole / unit[1]}${unit[0]}`
}

/** The uploads whose job was later seen to have failed (gap D5). */
export const failedJobsIn = (calls: readonly ObservedCall[]): FailedJob[] => {
  const uploads = new Map(
    calls.flatMap((call) => (isUpload(call) ? [[idIn(call.answer.json), call] as const] : [])),
  )
  const jobs = new Map<ObservedCall, FailedJob>()
  for (const { operation, answer } of calls) {
    const { task_id: id, status, error } = fieldsOf(fieldsOf(answer.json).data)
    const upload = uploads.get(String(id))
    if (operation !== 'd-assets.resolve' || status !== 'Failed' || upload === undefined) continue
    const { code, message } = fieldsOf(error)
    jobs.set(upload, { upload, code: String(code ?? 'Failed'), message: String(message ?? 'The job failed') })
  }
  return [...jobs.values()]
}

const isUpload = ({ operation }: ObservedCall): boolean => operation === 'd-assets.upload'
