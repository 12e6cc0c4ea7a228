import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCommands } from '../../src/cli/program.js'
import { rulesOf } from '../../src/emulator/control/rules.js'
import { dependencies } from '../../src/emulator/core/events.js'
import { builtIn, families } from '../../src/emulator/families/index.js'
import { matchers } from '../../src/testing/matchers/index.js'

const { gaps, operations, taskFamilies } = builtIn

const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchors = new Map<string, ReadonlySet<string>>()
const anchorsOf = (page: string): ReadonlySet<string> => {
  const known = anchors.get(page)
  if (known !== undefined) return known
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    slugOf(text),
  )
  const made = new Set(headings)
  anchors.set(page, made)
  return made
}

const resolves = (page: string, anchor: string | undefined): boolean =>
  anchor === undefined ? anchorsOf(page).size > 0 : anchorsOf(page).has(anchor)

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => /\.(ts|mts|mjs)$/.test(name))

const pageOf = new Map(families.map(({ id, section }) => [section, `docs/families/${id}.md`]))

/** `§B duration` is a chapter and a heading of its page; `§Task states` is a heading of docs/families/every-family.md. */
const resolvesChapter = (reference: string): boolean => {
  const [, section = '', heading] = /^([A-Z]\d?)\b ?(.*)$/.exec(reference) ?? []
  const page = pageOf.get(section)
  if (page === undefined) return resolves('docs/families/every-family.md', slugOf(reference))
  return resolves(page, heading === '' ? undefined : slugOf(heading ?? ''))
}

const gapIds = new Set(gaps.map(({ id }) => id))
const sources = filesIn('src').map((file) => [file, readFileSync(file, 'utf8')] as const)

const wrong = (find: (text: string) => string[]): string[] =>
  sources.flatMap(([file, text]) => find(text).map((reference) => `${file}: ${reference}`))

test('every § of the sources is a heading of docs/families', () => {
  const pattern = /§([A-Z]\d?\b(?: [a-z_]+)*|[A-Z][a-z]+(?: [a-z]+)*)/g
  const found = wrong((text) =>
    [...text.matchAll(pattern)].map(([, one = '']) => one).filter((one) => !resolvesChapter(one)),
  )
  expect(found).toEqual([])
})

test('every gap that the sources name is a row of the table', () => {
  const pattern = /\bgaps? ([A-Z]\d+(?:(?:, | and | to )[A-Z]\d+)*)/g
  const found = wrong((text) =>
    [...text.matchAll(pattern)]
      .flatMap(([, list = '']) => list.match(/[A-Z]\d+/g) ?? [])
      .filter((id) => !gapIds.has(id)),
  )
  expect(found).toEqual([])
})

test('every page and anchor that the sources name is there', () => {
  const pattern = /\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g
  const found = wrong((text) =>
    [...text.matchAll(pattern)]
      .filter(([, page = '', anchor]) => !resolves(page, anchor))
      .map(([reference]) => reference),
  )
  expect(found).toEqual([])
})

const isSource = /\.(ts|tsx|mts|mjs)$/
const sourceFiles = ['src', 'test', 'scripts', 'bench', 'faults', 'examples', 'fixtures', 'deploy'].flatMap(
  (folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => isSource.test(name) && !name.includes('node_modules'))
      .map((name) => `/${folder}/${name.replaceAll('\\', '/')}`),
)
const isThere = (path: string): boolean => sourceFiles.some((file) => file.endsWith(`/${path}`))

test('every source file that a comment names is there', () => {
  const found = wrong((text) =>
    [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm)]
      .flatMap(
        ([comment]) => comment.match(/(?<![\w/.:-])[\w.-]+(?:\/[\w.-]+)*\.(?:ts|tsx|mts|mjs)\b/g) ?? [],
      )
      .filter((path) => !isThere(path)),
  )
  expect(found).toEqual([])
})

test('every source file that a page names is there', () => {
  // Those that say how to add something name the files that are to be made.
  const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.startsWith('adding-'),
  )
  const found = pages.flatMap((name) =>
    [...readFileSync(join('docs', name), 'utf8').matchAll(/`((?:src|test|scripts|bench|faults)\/[^`\s]+)`/g)]
      .filter(([, path = '']) => isSource.test(path) && !isThere(path))
      .map(([reference]) => `${name}: ${reference}`),
  )
  expect(found).toEqual([])
})

test('every row of the table of gaps has an anchor', () => {
  for (const { id } of gaps) expect(resolves('docs/gaps.md', id.toLowerCase()), id).toBe(true)
})

test('every rule of an operation refers to pages that can be opened', () => {
  const places = rulesOf(operations, taskFamilies)
  expect(places.length).toBeGreaterThan(50)
  for (const { id, place } of places)
    for (const reference of place.split(', ')) {
      const [page = '', anchor] = reference.split('#')
      expect(page, `${id}: ${reference}`).toMatch(/^docs\//)
      expect(resolves(page, anchor), `${id}: ${reference}`).toBe(true)
    }
})

test('the page about metrics has every metric', () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  const source = readFileSync('src/emulator/observability/metrics.ts', 'utf8')
  const names = [...source.matchAll(/\b(?:gauge|counter|histogram)\(\s*'(\w+)'/g)].map(([, name]) => name)
  expect(names).toContain('requests_total')
  expect(names.filter((name) => !page.includes(`\`backlot_${name}\``))).toEqual([])
})

test('the page about tests has a row for every matcher', () => {
  const page = readFileSync('docs/testing.md', 'utf8')
  expect(Object.keys(matchers).filter((name) => !page.includes(`\n| \`${name}(`))).toEqual([])
})

test('the page of the command line begins with every command', async () => {
  const [, overview = ''] = /```\n(.*?)```/s.exec(readFileSync('docs/command-line.md', 'utf8')) ?? []
  const names = (await loadCommands()).map(({ usage }) => usage.replace(/ [<[].*/, ''))
  expect(names.filter((name) => !new RegExp(`^backlot \\[?${name}\\b`, 'm').test(overview))).toEqual([])
})

test('the page of the command line has every event of --json, and every need of a fault', () => {
  const page = readFileSync('docs/command-line.md', 'utf8')
  const reporter = readFileSync('src/cli/reporter.ts', 'utf8')
  const events = [...reporter.matchAll(/\bevent: '(\w+)'/g)].map(([, name]) => name)
  expect(events).toContain('dropped')
  const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  // The first line of all is shown above the table.
  expect(rows).toEqual(expect.arrayContaining(events.filter((name) => name !== 'ready')))
  const [, needs = ''] = /`need` \((.*?)\)/.exec(page) ?? []
  expect(needs.replaceAll('`', '').split(', ')).toEqual(Object.keys(dependencies))
})
