import { parseScenario } from '../src/emulator/scenarios/read.js'
import type { Part } from './part.js'

const MOST_MS = 100
const BYTES = 256 * 1024
const filled = (text: string): string => text.repeat(Math.ceil(BYTES / text.length)).slice(0, BYTES)
const step = '- when: { operation: b-video-task.create }\n  then: { answer: { status: 503 } }\n'

/** Texts of which a parser of YAML has much to do, each as large as is read. */
const texts: Readonly<Record<string, string>> = {
  'open brackets': filled('['),
  'open braces': filled('{'),
  dashes: filled('- '),
  'question marks': filled('? '),
  colons: filled(': '),
  'closed brackets': filled(']'),
  commas: `[${filled(',')}`,
  numbers: `[${filled('1,')}`,
  'empty objects': `[${filled('{},')}`,
  lines: filled('\n'),
  comments: filled('#\n'),
  anchors: filled('- &a x\n'),
  aliases: `- &a x\n${filled('- *a\n')}`.slice(0, BYTES),
  merges: `a: &a {x: 1}\nb:\n${filled('  <<: *a\n')}`.slice(0, BYTES),
  tags: filled('- !x\n'),
  directives: filled('%x\n'),
  documents: filled('a\n---\n'),
  'wrong indentation': filled('a:\n  b: 1\n c: 2\n'),
  tabs: filled('\ta: 1\n'),
  'colons in a line': filled('a: b: c\n'),
  'bad escapes': `"${filled('\\q')}`,
  'bad escapes in many texts': filled('- "\\q"\n'),
  quotes: filled('"a" '),
  'one long text': `name: "${'x'.repeat(BYTES - 8)}"`,
  'a long key': `${filled('k')}: 1`,
  keys: Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join('\n'),
  'steps that are right': `name: x\ndescription: x\nsteps:\n${step.repeat(480)}`,
  'steps that are wrong': `name: x\nsteps:\n${'- {wen: {oppration: x}, thn: {}}\n'.repeat(700)}`,
}

/** Reads texts of every awkward kind, and measures the processor time of each turn of the event loop meanwhile. */
export const hostileTexts: Part = async () => {
  const failures: string[] = []
  // What is loaded with the first is no part of it.
  for (const text of Object.values(texts)) await parseScenario(text.slice(0, 2_000))
  let most = 0
  let slowest = ''
  for (const [name, text] of Object.entries(texts)) {
    const held = await longestTurn(() => parseScenario(text))
    if (held > MOST_MS) failures.push(`${name}: a turn took ${held.toFixed(0)} ms of processor time`)
    if (held > most) [most, slowest] = [held, name]
  }
  const line = `${Object.keys(texts).length} kinds of text of 256 KiB: a turn took at most ${most.toFixed(0)} ms of processor time (${slowest})`
  return { line, failures }
}

/** Processor time of the longest turn of the event loop while something is done, in milliseconds. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let isOver = false
  let before = process.cpuUsage()
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.cpuUsage()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  await new Promise(setImmediate)
  return longest
}
