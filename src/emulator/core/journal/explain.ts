import type { Operation } from '../contract.js'
import { hasField } from '../fields.js'
import { shown } from '../request.js'
import { scenarioResultOf, scenarioSentences } from '../scenario/explain.js'
import { nearest } from '../suggest.js'
import { IDEMPOTENCY_KEY, type JournalEntry } from './entry.js'
import type { Journal } from './journal.js'

/**
 * Subjects of the sentences of an explanation, in their order. `scenario`: the step that acted. `changed`: what it changed in the
 * answer. `nearMiss`: a step that did not act. `verified`: what the real service was seen to answer.
 */
export const subjects = [
  'call',
  'profile',
  'scenario',
  'changed',
  'nearMiss',
  'refusal',
  'verified',
  'ignored',
  'warning',
  'repeat',
  'callback',
] as const

type Routed = Pick<Operation, 'route'>

interface Reason {
  readonly about: (typeof subjects)[number]
  readonly says: string
}

/**
 * Explanation of an answer, in sentences.
 * @param first the call that this one repeats, by its Idempotency-Key. Default: it repeats none.
 * @param callbacks messages about the task that it has made, oldest first. Default: none.
 * @param verified what the real service was seen to answer, in sentences. Default: nothing is known.
 */
export const reasonsOf = (
  entry: JournalEntry,
  operations: readonly Routed[],
  first?: JournalEntry,
  callbacks: readonly Message[] = [],
  verified: readonly string[] = [],
): Reason[] => {
  const scenario = entry.played === undefined ? undefined : scenarioSentences(scenarioResultOf(entry.played))
  const sentences: Record<Reason['about'], readonly string[]> = {
    call: callSentences(entry, operations),
    profile: profileSentences(entry),
    scenario: scenario?.acted ?? [],
    changed: fieldSentences(entry),
    nearMiss: scenario?.nearMisses ?? [],
    refusal: refusals(entry),
    verified,
    ignored: entry.ignored.map((field) => `${field} is not a field of this interface and was ignored.`),
    warning: entry.warnings.map((warning) => `${warning}.`),
    repeat: first === undefined ? [] : [repeatSentence(entry, first)],
    callback: callbacks.map(callbackSentence),
  }
  return subjects.flatMap((about) => sentences[about].map((says) => ({ about, says })))
}

/** A message to a receiver, as far as an explanation names it. */
interface Message {
  readonly id: string
  readonly kind: 'challenge' | 'delivery'
  readonly status: string | null
  readonly url: string
  readonly state: string
  readonly reason?: string | undefined
}

const callbackSentence = ({ id, kind, status, url, state, reason }: Message): string => {
  const about = kind === 'challenge' ? 'the challenge' : `the status ${status}`
  return `The callback ${id} with ${about} to ${url} is ${state}${reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`}.`
}

/** The sentences of `reasonsOf` alone. */
export const explain = (...call: Parameters<typeof reasonsOf>): string[] =>
  reasonsOf(...call).map(({ says }) => says)

/** The first call of a journal that made another task under the same Idempotency-Key, or undefined where there is none before it. */
export const repeatedCall = (
  { headers, method, task, sequence = 0, operation }: JournalEntry,
  journal: Journal,
): JournalEntry | undefined => {
  const key = headers[IDEMPOTENCY_KEY]
  // Queries and cancellations name a task as well.
  if (key === undefined || task === undefined || operation === undefined || method !== 'POST')
    return undefined
  return journal
    .list({ operation })
    .filter((entry) => entry.headers[IDEMPOTENCY_KEY] === key && entry.task !== undefined)
    .findLast((entry) => (entry.sequence ?? 0) < sequence)
}

const repeatSentence = ({ task }: JournalEntry, first: JournalEntry): string =>
  `The call ${first.id} had the same Idempotency-Key and made the task ${first.task}: a second task, ${task}, was made, and each is charged when it succeeds.`

const profileSentences = ({ answered, status }: JournalEntry): string[] => {
  const { profile } = answered ?? {}
  if (profile === undefined) return []
  const sent = profile.status === status ? '' : `, and it was sent with ${profile.status}`
  return [`The profile changed the answer: ${profile.by.join(', ')}${sent}.`]
}

/** What a step has changed in the answer, and what it names and found nothing of. */
const fieldSentences = ({ answered, played, responseBody }: JournalEntry): string[] => {
  const { changed, profile } = answered ?? {}
  if (changed === undefined) return []
  const { without = [], move = {}, wrap, set = {}, retype = {} } = played?.step?.effects.answer ?? {}
  const isIn = (body: unknown) => (path: string) => hasField(body, path)
  // What a profile made of the answer before is not known.
  const before = profile === undefined ? isIn(responseBody) : () => true
  const [gone, moved] = [without, Object.keys(move)].map((paths) => paths.filter(before)) as [
    string[],
    string[],
  ]
  const retyped = Object.keys(retype).filter(isIn(changed.body))
  const found = new Set([...gone, ...moved, ...retyped])
  const missing = [...without, ...Object.keys(move), ...Object.keys(retype)].filter(
    (path) => !found.has(path),
  )
  const changes = [
    ...gone.map((path) => `without ${path}`),
    ...moved.map((path) => `${path} at ${move[path]}`),
    ...(wrap === undefined ? [] : [`all of it in ${wrap}`]),
    ...Object.entries(set).map(([path, value]) => `${path} ${shown(value)}`),
    ...retyped.map((path) => `${path} as ${retype[path]}`),
  ]
  return [
    ...(changes.length === 0 ? [] : [`The step changed the answer: ${changes.join(', ')}.`]),
    ...missing.map((path) => `The step names the field ${path}, which this answer does not have.`),
  ]
}

const callSentences = (entry: JournalEntry, operations: readonly Routed[]): string[] => {
  const { operation, method, path, status, answered } = entry
  if (operation !== undefined)
    return [`The call is ${operation} and ${outcomes[answered?.broken ?? 'whole'](status)}.`]
  const meant = nearestRoute(entry, operations)
  const known = () => `The service has: ${[...new Set(operations.map(routeText))].join(', ')}.`
  return [`No operation has the route ${method} ${path}. ${meant ? `Did you mean ${meant}?` : known()}`]
}

/**
 * Route that a call without an operation probably meant: `POST /v1/videos`, or undefined where none is near. With a wrong base URL
 * its end is right, and otherwise its letters are nearly right.
 */
export const nearestRoute = (
  { method, path }: Pick<JournalEntry, 'method' | 'path'>,
  operations: readonly Routed[],
): string | undefined => {
  const withEnd = (end: string) =>
    operations.find(({ route }) => route.method === method && endsAlike(route.path, end))
  // A slash too many is more common than an id that is empty.
  const meant = withEnd(path.replace(/\/$/, '')) ?? withEnd(path)
  return meant === undefined ? nearest(`${method} ${path}`, operations.map(routeText)) : routeText(meant)
}

/** Whether one path is the end of the other one. A parameter of the route stands for any segment. */
const endsAlike = (route: string, path: string): boolean => {
  const given = path.split('/').slice(1).reverse()
  const wanted = route.split('/').slice(1).reverse().slice(0, given.length)
  return (
    wanted.every((segment, index) => segment.startsWith('{') || segment === given[index]) &&
    wanted.some((segment, index) => segment === given[index])
  )
}

const routeText = ({ route }: Routed): string => `${route.method} ${route.path}`

const outcomes = {
  whole: (status: number) => `was answered with ${status}`,
  cut: (status: number) => `was answered with ${status}, whose body was cut off`,
  reset: () => 'got no answer: its connection was reset',
  silent: () => 'got no answer: its connection stayed silent',
} as const

const refusals = ({ refusedBy }: JournalEntry): string[] =>
  refusedBy.map((refusal, index) => {
    const { rule, place } = refusal
    return `${index === 0 ? 'Refused by' : 'Would also be refused by'} the rule ${rule} (${place}): ${refusalText(refusal)}.`
  })

const refusalText = ({ field, found, message, allowed }: JournalEntry['refusedBy'][number]): string => {
  if (message !== undefined) return message
  if (field === undefined) return refusalTextWithoutField(allowed, found)
  return `${field} must be ${allowed ?? 'otherwise'}${found === undefined ? '' : `, found ${shown(found)}`}`
}

// Of what is about no field and has no words of its own, only the rate limit says what is allowed.
const refusalTextWithoutField = (allowed: string | undefined, found: unknown): string =>
  allowed === undefined
    ? 'the call is not taken as it is'
    : `the account may make ${allowed}, and has made ${shown(found)} in the last one`
