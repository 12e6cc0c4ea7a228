import type { z } from 'zod'
import { fieldOf, isRecord, isTooDeep, parseJson, shapeRefusals } from '../emulator/surface/journal.js'
import { EmulatorError } from '../emulator/surface/records.js'
import { MAX_DIAGNOSTICS } from '../emulator/surface/scenarios.js'
import { type Head, type Line, lineSchema, type NumberedLine, type Recording } from './format.js'

/**
 * Parses a recording: JSON Lines. A last line that is not finished, as after a crash, is dropped.
 * @throws EmulatorError `bad-recording`, with every line that is wrong
 */
export const parseRecording = (text: string, file = 'The recording'): Recording => {
  const { written, isCut } = writtenLines(text)
  const whole = parseJson(text)
  if (isRecord(whole) && isRecord(whole.log))
    throw badRecording(file, [
      'It is a HAR file, such as `backlot record` writes: `backlot scenario-from` reads it',
    ])
  if (written.length > 1 && whole !== undefined)
    throw badRecording(file, ['It is one JSON document; a recording has a JSON object in each line'])
  if (written.length > 1 && written.every(({ json }) => parseJson(json) === undefined))
    throw badRecording(file, [`None of its ${written.length} lines is JSON`])
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
  if (isTooDeep(value)) return { problem: `line ${lineNumber}: it is nested too deep` }
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

const badRecording = (file: string, problems: readonly string[]): EmulatorError => {
  const more = problems.length - MAX_DIAGNOSTICS
  const shown = more > 0 ? [...problems.slice(0, MAX_DIAGNOSTICS), `and ${more} more`] : problems
  const sentences = shown.map((problem) => `${problem}.`).join('\n')
  return new EmulatorError(`${file} cannot be read as a recording.\n${sentences}`, {
    code: 'bad-recording',
    hint: 'Recordings are written by `backlot start --record FILE` and GET /_backlot/requests?format=replay; docs/replay.md describes them.',
  })
}
