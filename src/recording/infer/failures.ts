import { isRecord, valueAt } from '../../emulator/surface/journal.js'
import { durationText } from '../../emulator/surface/records.js'
import { builtIn, type Operation, type Registry } from '../../emulator/surface/registry.js'
import type { ScenarioInput } from '../../emulator/surface/scenarios.js'
import {
  type FailedJob,
  type FailedTask,
  isFailed,
  type LostCallback,
  type ObservedCall,
  type ObservedSession,
  operationOf,
} from './observed.js'

type StepInput = ScenarioInput['steps'][number]
type When = NonNullable<StepInput['when']>
type Then = StepInput['then']

interface Failure {
  readonly at: number
  /** Index of its call among all calls; greater than all of them for a lost callback. */
  readonly index: number
  readonly when: Omit<When, 'nth'>
  readonly nth: number
  readonly action: Then
  /** Summary in a few words: "answered with 429". */
  readonly summary: string
}

/**
 * Scenario steps that repeat the failures of a session, in order of time; a sentence for each failure that no step can repeat,
 * and for each that a step repeats with another error. Equal failures of an operation are one step.
 */
export const stepsOf = (
  { calls, failedTasks, lost, failedJobs, ofOtherCalls, aborted = [] }: ObservedSession,
  registry: Registry = builtIn,
) => {
  const failedCalls = calls.filter(isFailed)
  const positions = positionsOf(calls)
  const ofCalls = [
    ...failedCalls.flatMap((call) => failedCall(call, registry)),
    ...failedTasks.map((task) => failedTask(task, registry)),
    ...failedJobs.map(failedJob),
  ].map(({ call, ...failure }): Failure => {
    const position = positions.get(call) ?? { index: 0, nth: 1 }
    return { at: call.at, ...position, when: { operation: call.operation ?? '' }, ...failure }
  })
  const failures = [...ofCalls, ...lost.map(lostCallback)].sort((a, b) => a.at - b.at || a.index - b.index)
  return {
    steps: grouped(mergedByCall(failures)).map(stepOf),
    omitted: [
      ...failedCalls
        .filter(({ operation }) => operation === undefined)
        .map(({ method, path }) => `${method} ${path}: no operation has this route`),
      ...failedCalls.filter(hasForeignStatus).map(({ method, path, answer }) => {
        return `${method} ${path}: answered with ${answer.status}, which is no status of HTTP`
      }),
      ...listText('what failed of calls that are not in the file', ofOtherCalls),
      ...listText('calls that the client itself aborted', aborted),
    ],
    // Once for each operation.
    replaced: failedTasks
      .filter(({ state, error }) => state === 'failed' && error === undefined)
      .map(
        ({ create }) =>
          `A task of ${create.operation} failed without an error that its family has: in the scenario it fails with ${internalErrorOf(create, registry)}.`,
      )
      .filter((sentence, index, all) => all.indexOf(sentence) === index),
  }
}

// One sentence, since a list can show the failed tasks of a week.
const listText = (what: string, repeated: readonly string[]): string[] => {
  const failures = [...new Set(repeated)]
  const more = failures.length - MAX_NAMED
  const named = failures.slice(0, MAX_NAMED).join(', ')
  return failures.length === 0 ? [] : [`${what}: ${named}${more > 0 ? ` and ${more} more` : ''}`]
}

const MAX_NAMED = 5

/** Index of each call among all calls, and its number among those of its operation. */
const positionsOf = (calls: readonly ObservedCall[]) => {
  const counts = new Map<string | undefined, number>()
  return new Map(
    calls.map((call, index) => {
      const nth = (counts.get(call.operation) ?? 0) + 1
      counts.set(call.operation, nth)
      return [call, { index, nth }] as const
    }),
  )
}

/** Failure that a call met, or that followed from it. */
interface FailureOfCall extends Pick<Failure, 'action' | 'summary'> {
  readonly call: ObservedCall
}

// Firewalls in front of a service have such ones.
const hasForeignStatus = ({ operation, answer: { status = 0 } }: ObservedCall): boolean =>
  operation !== undefined && !(Number.isInteger(status) && status <= 599)

const failedCall = (call: ObservedCall, registry: Registry): FailureOfCall[] => {
  if (call.operation === undefined || hasForeignStatus(call)) return []
  const { broken, status } = call.answer
  if (broken !== undefined) return [{ call, ...brokenAnswers[broken] }]
  return [{ call, summary: `answered with ${status}`, action: answerAction(call, registry) }]
}

const brokenAnswers = {
  reset: { summary: 'lost its connection', action: { transport: { reset: true } } },
  silent: { summary: 'got no answer', action: { transport: { hang: true } } },
  cut: { summary: 'got a part of an answer', action: { transport: { closeAfterBytes: 16 } } },
} as const

const answerAction = (call: ObservedCall, registry: Registry): Then => {
  const { status = 500, headers, json, text = '' } = call.answer
  if (call.operation === 'results.download' && status === 403) return { result: { expired: true } }
  if (call.operation === 'results.download' && status === 404) return { result: { missing: true } }
  const more = {
    ...(/^\d{1,15}$/.test(headers['retry-after'] ?? '')
      ? { retryAfter: Number(headers['retry-after']) }
      : {}),
    // Otherwise there would be no task, and nothing of what became of it.
    ...(call.task !== undefined ? { stillHappens: true as const } : {}),
  }
  const error = errorOfAnswer(call, status, registry)
  if (error !== undefined) return { answer: { error, ...more } }
  if (json !== undefined) return { answer: { status, ...more, body: json } }
  const contentType = headers['content-type'] || undefined
  return { answer: { status, ...more, contentType, text: text.slice(0, MAX_CHARACTERS) } }
}

const MAX_CHARACTERS = 4_000

// Stands for the message and the id of the call, which differ from answer to answer.
const ANY = '\0'

/** Name of the error that makes such an answer; undefined where the table of the operation has none. */
const errorOfAnswer = (call: ObservedCall, status: number, registry: Registry): string | undefined => {
  const { errors = [], raise } = operationOf(call, registry) ?? {}
  const isMadeBy = (error: string, message?: string): boolean => {
    const reply = raise?.(error, { message }, ANY)
    return reply?.status === status && hasTextsOf(call.answer.json, reply.body)
  }
  // Some errors have the same codes, and messages of their own.
  return errors.find((error) => isMadeBy(error)) ?? errors.find((error) => isMadeBy(error, ANY))
}

/** Whether an answer has the codes of an error body, wherever its family has them, and what its message ends in (gap F). */
const hasTextsOf = (answer: unknown, body: unknown): boolean => {
  const codes = textsIn(body).map(([path, text]) => {
    const end = text.slice(text.lastIndexOf(ANY) + 1).replace(/^\.$/, '')
    const found = String(valueAt(answer, path))
    return { end, fits: end === text ? found === text : found.endsWith(end) }
  })
  return codes.some(({ end }) => end !== '') && codes.every(({ end, fits }) => end === '' || fits)
}

/** Texts and numbers of a body with their paths, at any depth. */
const textsIn = (body: unknown, path: readonly string[] = []): (readonly [readonly string[], string])[] =>
  isRecord(body)
    ? Object.entries(body).flatMap(([key, inner]) => textsIn(inner, [...path, key]))
    : [[path, String(body ?? '')]]

const failedTask = (
  { create: call, state, error: named, afterMs }: FailedTask,
  registry: Registry,
): FailureOfCall => {
  const after = durationText(afterMs)
  if (state === 'expired')
    return { call, action: { task: { expires: { after } } }, summary: 'a task that expires' }
  const error = named ?? internalErrorOf(call, registry)
  return { call, action: { task: { fails: { error, after } } }, summary: `a task that fails with ${error}` }
}

/** Error of tasks that are made to fail without a name. */
const internalErrorOf = (create: ObservedCall, registry: Registry): string =>
  (operationOf(create, registry) as Operation).wellKnownErrors.internal

const failedJob = ({ upload: call, code, message }: FailedJob): FailureOfCall => {
  return { call, action: { asset: { fails: { code, message } } }, summary: 'a job that fails' }
}

const lostCallback = ({ operation, message, status, nth, at }: LostCallback): Failure => ({
  at,
  index: Number.MAX_SAFE_INTEGER,
  when: {
    operation,
    callback: message === 'challenge' ? 'challenge' : ({ status: status ?? 'succeeded' } as When['callback']),
  },
  nth,
  action: { callback: { never: true } },
  summary: message === 'challenge' ? 'a challenge that is lost' : 'a callback that is lost',
})

/** Failures with those of one call in one: only the first step that fits a call acts on it. */
const mergedByCall = (failures: readonly Failure[]): Failure[] => {
  const merged = new Map<string, Failure>()
  for (const failure of failures) {
    const name = JSON.stringify([failure.when, failure.nth])
    const first = merged.get(name)
    const others = Object.entries(failure.action).filter(([part]) => !(part in (first?.action ?? {})))
    if (first === undefined) merged.set(name, failure)
    else if (others.length > 0)
      merged.set(name, {
        ...first,
        action: { ...stillHappening(first.action), ...Object.fromEntries(others) },
        summary: `${first.summary}, and ${failure.summary}`,
      })
  }
  return [...merged.values()]
}

// What became of the call says that it did its work, whatever its answer was.
const stillHappening = ({ answer, ...others }: Then): Then =>
  answer === undefined ? others : { ...others, answer: { ...answer, stillHappens: true } }

/** Group of equal failures, with the ordinal of each. */
type Group = Failure & { readonly all: number[] }

const grouped = (failures: readonly Failure[]): Group[] => {
  const groups = new Map<string, Group>()
  for (const failure of failures) {
    const name = JSON.stringify([failure.when, failure.action])
    const group = groups.get(name) ?? { ...failure, all: [] }
    groups.set(name, group)
    group.all.push(failure.nth)
  }
  return [...groups.values()]
}

const stepOf = ({ when, action, summary, all }: Group): StepInput => ({
  description: `${String(when.operation)}, ${all.length === 1 ? 'number' : 'numbers'} ${all.join(', ')}: ${summary}`,
  when: { ...when, ...countsOf([...all].sort((a, b) => a - b)) },
  // biome-ignore lint/suspicious/noThenProperty: the word of the file format; it is never a function
  then: action,
  required: true,
})

/** Shortest selector of these ordinals, which are sorted. */
const countsOf = (all: readonly number[]): Pick<When, 'nth' | 'first' | 'after'> => {
  const first = all[0] ?? 1
  const last = all.at(-1) ?? first
  if (all.length === 1) return { nth: first }
  const isRow = last - first + 1 === all.length
  if (!isRow || all.length === 2) return { nth: [...all] }
  return first === 1 ? { first: last } : { first: last, after: first - 1 }
}
