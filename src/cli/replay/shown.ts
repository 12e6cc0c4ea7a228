import type { Difference } from '../../core/recording/differences.js'
import type { Recording } from '../../core/recording/recording.js'
import type { ReplayMismatch, Report } from '../../server/recording/replay.js'

/** What is worth knowing of a recording before it is run. */
export const warnings = ({ lines, isCut }: Recording): string[] => [
  ...(isCut ? ['The last line of the recording was cut off in the middle and is left out.'] : []),
  ...lines.flatMap(({ line }) =>
    line.kind === 'account' && line.lacks !== undefined
      ? [
          `The recording lacks the first ${line.lacks} calls of the account ${line.account}, which the journal had dropped (setting journalEntries): answers that depend on them differ.`,
        ]
      : [],
  ),
]

/** A line that had another outcome: which one, and each field of it that differs. */
export const differingText = ({ place: { at, line }, differences }: ReplayMismatch): string =>
  [`line ${at}  ${nameOf(line)}`, ...differences.map(differenceText), ''].join('\n')

const nameOf = (line: ReplayMismatch['place']['line']): string => {
  if (line.kind === 'control') return `${line.action} of the account ${line.account}`
  if (line.kind === 'callback') return `callback ${line.id} (${line.status ?? 'challenge'})`
  const { method, path } = line.request
  return `${method} ${path}${line.operation === undefined ? '' : `  (${line.operation})`}`
}

const differenceText = ({ path, recorded, now }: Difference): string =>
  `  ${path}\n    recorded  ${valueText(recorded)}\n    now       ${valueText(now)}`

const MOST_CHARACTERS = 400

const valueText = (value: unknown): string => {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value)
  return text.length > MOST_CHARACTERS
    ? `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)`
    : text
}

/** How it went, in one or more sentences. `hidden` counts the differing answers that are not shown. */
export const summary = ({ calls, callbacks, differing, halfCompared }: Report, hidden: number): string => {
  const what =
    callbacks === 0
      ? counted(calls, 'call')
      : `${counted(calls, 'call')} and ${counted(callbacks, 'callback')}`
  const outcome =
    differing.length === 0
      ? `${what}, all as they were recorded.`
      : `${what}: ${counted(differing.length, 'outcome')} ${differing.length === 1 ? 'differs' : 'differ'}.`
  return [
    outcome,
    ...(hidden === 0 ? [] : [`${counted(hidden, 'of them', 'of them')} not shown; --all shows all.`]),
    ...(halfCompared === 0
      ? []
      : [`Of ${counted(halfCompared, 'call')} the status alone was compared: the body was not kept.`]),
  ].join(' ')
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
