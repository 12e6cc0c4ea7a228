import { accountIdOf, DEFAULT_KEY } from '../core/account/account.js'
import { formatDuration } from '../core/time/duration.js'
import type { TimelineItem } from '../handles/records/loose-ends.js'

const MOST_LINES = 60

/**
 * Timelines for people: a line for each thing that happened, with how long after the first it did.
 * @param keys those of the test; other accounts are named by their tags
 */
export const timelineText = (items: readonly TimelineItem[], keys: readonly string[]): string => {
  const names = new Map(keys.map((key) => [accountIdOf(key), `the account ${key}`]))
  const nameOf = (tag: string) =>
    names.get(tag) ??
    (tag === accountIdOf(DEFAULT_KEY) ? 'the account of calls without a key' : `another account (${tag})`)
  const accounts = new Set([...names.keys(), ...items.map(({ account }) => account)])
  return [...accounts]
    .map((tag) =>
      ofAccount(
        items.filter(({ account }) => account === tag),
        nameOf(tag),
      ),
    )
    .join('\n\n')
}

const ofAccount = (items: readonly TimelineItem[], name: string): string => {
  const [first] = items
  if (first === undefined) return `Nothing has happened on ${name}.`
  const start = Date.parse(first.at)
  const times = items.map(({ at }) => `+${formatDuration(Date.parse(at) - start)}`)
  const width = Math.max(...times.map(({ length }) => length))
  // What follows from calls stands further in than the calls.
  const lines = items.map(
    ({ kind, says }, index) =>
      `  ${(times[index] as string).padStart(width)}  ${kind === 'request' ? '' : '  '}${says}`,
  )
  const left = Math.max(0, lines.length - MOST_LINES)
  return [
    `What happened on ${name}, from ${first.at} on its clock:`,
    ...(left === 0 ? [] : [`  … ${left} lines before these`]),
    ...lines.slice(left),
  ].join('\n')
}
