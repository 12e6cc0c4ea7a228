import { readdirSync, readFileSync } from 'node:fs'

/** A code block of a page. */
export interface Block {
  readonly page: string
  /** Of its first line of code, from 1. */
  readonly line: number
  /** `ts`, `sh`; empty where the block names none. */
  readonly language: string
  readonly code: string
  /** What a comment before it says: `<!-- file: … -->`, `<!-- given: … -->`, `<!-- not run: … -->`. */
  readonly marks: Readonly<Record<string, string>>
}

/** Every page that people read. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'skills/backlot/SKILL.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .sort(),
]

const FENCE = /^(?:<!-- ([a-z ]+): (.*?) -->\n+)?```(\w*)[^\n]*\n(.*?)^```$/gms

const blocksIn = (page: string): Block[] => {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(FENCE)].map((match) => {
    const [whole, mark, says = '', language = '', code = ''] = match
    const before = text.slice(0, match.index + whole.lastIndexOf(code))
    const marks = mark === undefined ? {} : { [mark]: says }
    return { page, line: before.split('\n').length, language, code, marks }
  })
}

/** Every code block of every page. */
export const blocks: readonly Block[] = pages.flatMap(blocksIn)

export const inLanguages = (...languages: readonly string[]): Block[] =>
  blocks.filter(({ language }) => languages.includes(language))

/** A block as the title of a test. */
export const placeOf = ({ page, line }: Block): string => `${page}:${line}`

const EXAMPLE = /^ *\* @example\n *\* ```ts\n([\s\S]*?)^ *\* ```$/gm

/** What the examples of handles use: an emulator, and the id of a task. */
const GIVEN = "declare const emulator: import('backlot').EmulatorHandles; declare const id: string"

/** Every `@example` of the comments of a source file, as a block. */
export const examplesIn = (file: string): Block[] => {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(EXAMPLE)].map((match) => {
    const [whole, lines = ''] = match
    const code = lines.replaceAll(/^ *\* ?/gm, '')
    const line = text.slice(0, match.index + whole.indexOf(lines)).split('\n').length
    const marks: Block['marks'] = /\bemulator = /.test(code) ? {} : { given: GIVEN }
    return { page: file, line, language: 'ts', code, marks }
  })
}
