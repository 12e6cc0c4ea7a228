import type { z } from 'zod'
import { EmulatorError } from '../core/errors.js'
import { fieldOf, parseJson, shapeRefusals } from '../core/request.js'
import { type Head, type Line, lineSchema, type NumberedLine, type Recording } from './format.js'

/**
 * Parses a recording: JSON Lines. A last line that is not finished, as after a crash, is dropped.
 * @throws EmulatorError `bad-recording`, with every line that is wrong
 */
export const parseRecording = (text: string, file = 'The recording'): Recording => {
  const { written, isCut } = writtenLines(text)
  if (written.length > 1 && parseJson(text) !== undefined)
    throw badRecording(file, ['It is one JSON document; a recording has a JSON object in each line'])
  const read = written.map(({ lineNumber, json }) => readLine(json, lineNumber))
  const problems = read.filter((line) => 'problem' in line).map(({ problem }) => problem)
  const [first, ...rest] = read.filter((line) => 'line' in line)
  const misplaced = rest
    .filter(({ line }) => line.kind === 'recording')
    .map(({ lineNumber }) => `line ${lineNumber}: a second head`)
  if (problems.length > 0 || misplaced.length > 0) throw badRecording(file, [...problems, ...misplaced])
  if (first?.line.kind !== 'recording')
    throw badRecording(file, ['line 1: it must begin with {"kind":"recording", …}, as every recording does'])
  return { head: first.line, lines: rest as NumberedLine<Exclude<Line, Head>>[], isCut }
}

const writtenLines = (text: string) => {
  const all = text.split('\n')
  const unfinished = all.pop() ?? ''
  const isCut = unfinished.trim() !== '' && parseJson(unfinished) === undefined
  const written = (isCut ? all : [...all, unfinished]).map((json, index) => ({ lineNumber: index + 1, json }))
  return { written: written.filter(({ json }) => json.trim() !== ''), isCut }
}

const readLine = (json: string, lineNumber: number): NumberedLine | { readonly problem: string } => {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return { problem: `line ${lineNumber}: it is not JSON (${(error as Error).message})` }
  }
  const shape = lineSchema.safeParse(value)
  if (shape.success) return { lineNumber, line: shape.data }
  return { problem: `line ${lineNumber}: ${issueMessages(shape.error.issues, value).join('; ')}` }
}

const issueMessages = (issues: readonly z.core.$ZodIssue[], value: unknown): string[] => {
  const kind = (value as { kind?: unknown } | null)?.kind
  if (!kinds.includes(String(kind)))
    return [`kind must be one of ${kinds.join(', ')}, found ${JSON.stringify(kind)}`]
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `there is no ${fieldOf([...issue.path, key])}`)
      : [],
  )
  const others = issues.filter(({ code }) => code !== 'unrecognized_keys')
  return [...unknown, ...shapeRefusals(others, value).map(({ message }) => String(message))]
}

const kinds = lineSchema.options.map(({ shape }) => shape.kind.value as string)

const MAX_PROBLEMS = 20

const badRecording = (file: string, problems: readonly string[]): EmulatorError => {
  const more = problems.length - MAX_PROBLEMS
  const shown = more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems
  const sentences = shown.map((problem) => `${problem}.`).join('\n')
  return new EmulatorError(`${file} cannot be read as a recording.\n${sentences}`, {
    code: 'bad-recording',
    hint: 'Recordings are written by `backlot start --record FILE` and GET /_backlot/requests?format=replay; docs/replay.md describes them.',
  })
}

/**
 * Sorts the lines of a recording by the instants at which they were decided. An answer that took long is written at its
 * end, behind calls of the same account that were decided meanwhile. The order between accounts stays.
 */
export const sortByTime = <L extends NumberedLine>(lines: readonly L[]): L[] => {
  const ordered = [...lines]
  for (const places of monotonicRuns(lines)) {
    const sorted = places.map((place) => lines[place] as L).sort(byDecision)
    for (const [index, place] of places.entries()) ordered[place] = sorted[index] as L
  }
  return ordered
}

/** Runs of lines of one account, as positions, in each of which its clock is never set back. */
const monotonicRuns = (lines: readonly NumberedLine[]): number[][] => {
  const runs: number[][] = []
  const open = new Map<string, number[]>()
  for (const [place, { line }] of lines.entries()) {
    if (line.kind === 'call' || line.kind === 'control') {
      const run = open.get(line.account) ?? []
      if (run.length === 0) runs.push(run)
      run.push(place)
      open.set(line.account, run)
    }
    if (breaksTime(line)) open.delete(line.account)
  }
  return runs
}

// Lines that can set a clock back. A clock is set only before the first call of its account, so that no call that was
// decided before such a line is written after it.
const breaksTime = (line: Line): line is Extract<Line, { kind: 'reset' | 'control' }> =>
  line.kind === 'reset' ||
  (line.kind === 'control' && line.action === 'clock.change' && line.input.now !== undefined)

const byDecision = (a: NumberedLine, b: NumberedLine): number =>
  timeOf(a) - timeOf(b) || sequenceOf(a) - sequenceOf(b)

const timeOf = ({ line }: NumberedLine): number => ('at' in line ? Date.parse(line.at) : 0)

const sequenceOf = ({ line }: NumberedLine): number => ('sequence' in line ? (line.sequence ?? 0) : 0)
