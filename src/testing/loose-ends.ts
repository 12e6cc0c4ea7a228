import type { AccountHandles } from '../emulator/surface/client.js'
import { isRecord, shown } from '../emulator/surface/journal.js'
import {
  accountIdOf,
  DEFAULT_KEY,
  EmulatorError,
  formatDuration,
  OTHERS_ARE_CALLED,
} from '../emulator/surface/records.js'
import { findingKinds } from '../emulator/surface/verdict.js'
import type { CallbackRecord, Finding, Finished, LooseEnds, TimelineItem } from '../generated/control-api.js'
import { type Allowed, type LooseEnd, validateWords } from './options.js'

const MAX_LINES = 60

/**
 * Timelines as text: a line for each event, with its time after the first event.
 * @param keys those of the test; other accounts are named by their ids
 */
export const timelineText = (items: readonly TimelineItem[], keys: readonly string[]): string => {
  const names = new Map(keys.map((key) => [accountIdOf(key), `the account ${key}`]))
  const nameOf = (accountId: string) =>
    names.get(accountId) ??
    (accountId === accountIdOf(DEFAULT_KEY)
      ? 'the account of calls without a key'
      : `another account (${accountId})`)
  const itemsOf = (accountId: string) => items.filter(({ account }) => account === accountId)
  const accounts = new Set([...names.keys(), ...items.map(({ account }) => account)])
  return [...accounts]
    .map((accountId) => accountTimelineText(itemsOf(accountId), nameOf(accountId)))
    .join('\n\n')
}

const accountTimelineText = (items: readonly TimelineItem[], name: string): string => {
  const [first] = items
  if (first === undefined) return `Nothing has happened on ${name}.${pageHint()}`
  const timeOf = ({ at }: TimelineItem) => `+${formatDuration(Date.parse(at) - Date.parse(first.at))}`
  const runs = runsOf(items)
  const width = Math.max(...runs.map(({ first }) => timeOf(first).length))
  const lines = runs.map(({ first: item, last, count }) => {
    const again = count === 1 ? '' : `, ${count} times${item.at === last.at ? '' : ` until ${timeOf(last)}`}`
    // Effects of calls are indented further than the calls.
    return `  ${timeOf(item).padStart(width)}  ${item.kind === 'request' ? '' : '  '}${item.says}${again}`
  })
  const left = Math.max(0, lines.length - MAX_LINES)
  return [
    `What happened on ${name}, from ${first.at} on its clock:`,
    ...(left === 0 ? [] : [`  … ${left} lines before these`]),
    ...lines.slice(left),
  ].join('\n')
}

/** Hint in jsdom and happy-dom: a preflight that is refused belongs to no account, and the page does not say why it was. */
const pageHint = (): string => {
  const { origin = '' } = (globalThis as { location?: { readonly origin?: string } }).location ?? {}
  return /^https?:/.test(origin)
    ? ` Calls of the page at ${origin} are refused unless the setting corsOrigins names it.`
    : ''
}

/** Hint that other accounts were called and this one was not, or undefined where it was, or none was. Waits for nothing. */
export const wrongKeyHint = async ({
  requests,
}: Pick<AccountHandles, 'requests'>): Promise<string | undefined> => {
  const wait = requests.waitFor({}, { timeout: 0 })
  const hint = await wait.then(
    () => undefined,
    (error: Partial<EmulatorError>) => error.hint,
  )
  return hint === OTHERS_ARE_CALLED ? hint : undefined
}

interface Run {
  readonly first: TimelineItem
  last: TimelineItem
  count: number
}

/** Run-length encoding of a timeline: what happens again and again, as when a client polls, takes one line. */
const runsOf = (items: readonly TimelineItem[]): Run[] => {
  const runs: Run[] = []
  for (const item of items) {
    const run = runs.at(-1)
    if (run?.first.says !== item.says) runs.push({ first: item, last: item, count: 1 })
    else {
      run.last = item
      run.count += 1
    }
  }
  return runs
}

/** @throws EmulatorError `bad-option` for what is no loose end, no finding, and no list of paths of unexpected calls */
export const validateLooseEnds = (allowed: readonly Allowed[]): void => {
  const isObject = (what: unknown) => isRecord(what)
  const words = allowed.filter((what) => !isObject(what)) as string[]
  validateWords('loose end', words, [...Object.keys(sections), ...findingKinds])
  for (const what of allowed.filter(isObject)) {
    const { unexpectedCalls, ...others } = what as Readonly<Record<string, unknown>>
    const isValid = Array.isArray(unexpectedCalls) && unexpectedCalls.every((call) => CALL.test(call))
    if (!isValid || Object.keys(others).length > 0)
      throw new EmulatorError(
        `allow: an object must have unexpectedCalls alone, a list of paths, found ${shown(what)}.`,
        { code: 'bad-option', hint: "Such as { unexpectedCalls: ['POST /v1/chat/completions'] }." },
      )
  }
}

/** A path, with its method or without. */
const CALL = /^(?:([A-Z]+) )?(\/\S*)$/

/** Loose ends and findings without those that are allowed. */
export const withoutAllowed = (ends: Finished, allowed: readonly Allowed[]): Finished => {
  const dropped: Record<string, unknown> = {}
  let { unexpectedCalls } = ends
  for (const what of allowed) {
    if (typeof what === 'string') {
      if (isLooseEnd(what)) dropped[sections[what].field] = []
    } else
      unexpectedCalls = unexpectedCalls.filter(
        (call) => !what.unexpectedCalls.some((text) => isCallOf(text, call)),
      )
  }
  return { ...ends, unexpectedCalls, ...dropped, verdict: findingsBesides(ends.verdict, new Set(allowed)) }
}

const isLooseEnd = (what: string): what is LooseEnd => Object.hasOwn(sections, what)

/** Whether a call is of a path, in which `{id}` stands for any segment. */
const isCallOf = (text: string, { method, path }: Finished['unexpectedCalls'][number]): boolean => {
  const [, wanted = method, template = ''] = CALL.exec(text) ?? []
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const pattern = template
    .split(/\{\w+\}/)
    .map(literal)
    .join('[^/]+')
  return wanted === method && new RegExp(`^${pattern}$`).test(path)
}

/** Findings without those that are allowed. A callback that may stay undelivered need not be answered. */
export const findingsBesides = (
  verdict: readonly Finding[],
  allowed: ReadonlySet<Allowed>,
): readonly Finding[] =>
  verdict.filter(
    ({ kind }) =>
      !allowed.has(kind) && !(kind === 'callback-not-answered' && allowed.has('undelivered-callbacks')),
  )

/** A finding as text: what was seen, what a robust client would have done, and where to read on. */
export const findingText = ({ kind, message, calls, advice, docs }: Finding): string => {
  const more = calls.length > MAX_CALLS ? `, and ${calls.length - MAX_CALLS} more` : ''
  return [
    `${kind}: ${message}`,
    `  ${advice}`,
    `  ${docs}; calls ${calls.slice(0, MAX_CALLS).join(', ')}${more}`,
  ].join('\n')
}

const MAX_CALLS = 3

/** Sentence about what an account has evicted before its test was over. */
export const evictedText = ({ calls, callbacks }: NonNullable<LooseEnds['evicted']>): string =>
  `${calls} calls and ${callbacks} callbacks of the test were evicted, so that loose ends among them are not known. The settings journalEntries and callbackLogEntries keep more.`

/**
 * Loose ends for people, with everything that happened and how to allow them, or undefined where there are none.
 * @param keys those of the test's accounts
 * @param place where they can be allowed, besides the options of the helper, or undefined where there is no such place
 */
export const looseEndsText = (
  ends: Finished,
  keys: readonly string[],
  place?: AllowPlace,
): string | undefined => {
  const present: { readonly what: string; readonly text: string }[] = Object.entries(sections).flatMap(
    ([what, { title, linesOf }]) => {
      const lines = linesOf(ends)
      return lines.length === 0 ? [] : [{ what, text: block(title, lines) }]
    },
  )
  const kinds = new Set(ends.verdict.map(({ kind }) => kind))
  if (kinds.size > 0) {
    const text = block('The client did not behave:', ends.verdict.map(findingText).join('\n').split('\n'))
    present.push(...[...kinds].map((what, index) => ({ what, text: index === 0 ? text : '' })))
  }
  if (present.length === 0) return undefined
  const words = present.map(({ what }) => `'${what}'`)
  const allowing = place === undefined ? '' : `${allowTexts[place](words)}, or `
  return [
    ...present.flatMap(({ text }) => (text === '' ? [] : [text])),
    timelineText(ends.timeline, keys),
    `To allow it: ${allowing}the option allow.`,
  ].join('\n\n')
}

const allowTexts = {
  test: (words: readonly string[]) =>
    `${words.map((word) => `emulator.allow(${word})`).join(', ')} in the test`,
  'concurrent test': (words: readonly string[]) =>
    `emulator.freshAccount({ test, allow: [${words.join(', ')}] })`,
  // Its accounts belong to no test.
  file: (words: readonly string[]) => `emulator.freshAccount({ allow: [${words.join(', ')}] })`,
}

/** Place where loose ends can be allowed: in tests that run at the same time it is the account, since `allow` knows no test. */
type AllowPlace = keyof typeof allowTexts

/** Section of the text: the field of the loose ends, its heading, and a line for each. */
const section = <F extends Exclude<keyof LooseEnds, 'evicted'>>(
  field: F,
  title: string,
  lineOf: (end: LooseEnds[F][number]) => string,
) => ({ field, title, linesOf: (ends: LooseEnds) => ends[field].map((end) => lineOf(end)) })

const callbackLine = ({ taskId, kind, status, url, state, reason, attempts }: CallbackRecord): string => {
  const what = `${status ?? kind} of ${taskId} to ${url}`
  if (reason !== undefined) return `${what}: ${state}. ${reason}`
  const last = attempts.at(-1)
  if (last === undefined) return `${what}: not answered yet.`
  return `${what}: ${last.error ?? `the receiver answered ${last.status}.`} It is tried again when the clock is advanced.`
}

const stepLine = ({ scenario, step, says, seen, lastMiss }: LooseEnds['unusedSteps'][number]): string =>
  [
    `step ${step} of ${scenario}${says === null ? '' : ` (${says})`}:`,
    lastMiss ?? (seen === 0 ? 'no call fitted it.' : `${seen} ${seen === 1 ? 'call' : 'calls'} fitted it.`),
  ].join(' ')

const block = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `  ${line}`)].join('\n')

// By kind, in the order of the text. The compiler demands a section for each kind.
const sections = {
  'unexpected-calls': section('unexpectedCalls', 'Calls that the service does not have:', ({ explanation }) =>
    explanation.join(' '),
  ),
  'undelivered-callbacks': section(
    'undeliveredCallbacks',
    'Callbacks that their receiver has not accepted:',
    callbackLine,
  ),
  'unused-steps': section('unusedSteps', 'Required steps of scenarios that have not acted:', stepLine),
  'abandoned-tasks': section(
    'abandonedTasks',
    'Tasks that have not ended:',
    ({ id, family, status }) => `${id} of ${family} is ${status}.`,
  ),
} satisfies Record<LooseEnd, unknown>
