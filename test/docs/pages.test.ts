import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { gapsDoc } from '../../scripts/generate/gaps-doc.js'
import { settingNames } from '../../src/command/settings/sources.js'
import { builtIn } from '../../src/emulator/families/index.js'
import { pages } from './blocks.js'

const { gaps } = builtIn

const withoutCode = (text: string): string =>
  text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '')

interface Link {
  readonly page: string
  readonly target: string
  readonly anchor: string
}

const linksIn = (page: string): Link[] =>
  [...withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^)#\s]*)#?([^)\s]*)\)/g)]
    .filter(([, path = '']) => !/^\w+:/.test(path))
    .map(([, path = '', anchor = '']) => ({
      ...{ page, anchor },
      target: path === '' ? page : normalize(join(dirname(page), path)),
    }))

const links = pages.flatMap(linksIn)

test('there are links to follow', () => expect(links.length).toBeGreaterThan(30))

test.each(links.map((link) => [`${link.page} to ${link.target}`, link] as const))(
  '%s is there',
  (_, { target }) => expect(existsSync(target)).toBe(true),
)

/** The anchors of a page, as they are made from its headings. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const toAnchors = links.filter(({ anchor, target }) => anchor !== '' && target.endsWith('.md'))

test.each(toAnchors.map((link) => [`${link.page} to ${link.target}#${link.anchor}`, link] as const))(
  '%s has such a heading',
  (_, { target, anchor }) => expect(anchorsOf(target)).toContain(anchor),
)

describe('docs/README.md is the table of contents', () => {
  const listed = linksIn('docs/README.md').map(({ target }) => target)
  const isListed = (page: string) =>
    listed.includes(page) ||
    listed.some((one) => one.endsWith('decisions/README.md') && page.includes('/decisions/'))

  test.each(pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md'))(
    'it has %s',
    (page) => expect(isListed(page), relative('docs', page)).toBe(true),
  )
})

test('docs/testing.md links every example', () => {
  const linked = linksIn('docs/testing.md').map(({ target }) => target)
  const examples = readdirSync('examples')
    .map((name) => `examples/${name}`)
    .filter((folder) => existsSync(`${folder}/package.json`))
  expect(examples).toContain('examples/vitest')
  expect(examples.filter((example) => !linked.includes(example))).toEqual([])
})

test('every row of the table is on that page once, and names settings that there are', () => {
  const page = gapsDoc()
  for (const { id, settings = [] } of gaps) {
    expect(page.split(`\n### ${id}\n`)).toHaveLength(2)
    expect(settingNames).toEqual(expect.arrayContaining([...settings]))
  }
})

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const calls = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/\b(?:npm run|npx tsx) ([\w:./-]*\w)/g)].map(([, name = '']) => ({
    page,
    name,
  })),
)

test.each(calls.map(({ page, name }) => [`${page}: ${name}`, name] as const))('%s can be run', (_, name) => {
  const ofTheReader = {
    migrate: 'a script of their project',
    'first.ts': 'the file that the README has them write',
  }
  expect(name.includes('/') ? existsSync(name) : name in { ...ofTheReader, ...scripts }).toBe(true)
})

test('no page is empty', () => {
  for (const page of pages) expect(statSync(page).size).toBeGreaterThan(100)
})

/** Ids of gaps in the text of a page, outside of code and of links. Chapters such as A2 are named as they are. */
const bareGapIds = (text: string): string[] => {
  const prose = withoutCode(text).replaceAll(/\]\([^)]*\)/g, ']')
  const words = prose.match(/(?<![\w-])[A-Z]\d{1,2}(?![\w-])/g) ?? []
  return words.filter((word) => word !== 'A2' && gaps.some(({ id }) => id === word))
}

// In the table itself, in decisions and in pages for those who change the code, an id is a name.
const mayNameGaps = /^(docs\/(gaps|adding-|architecture|glossary|hardening|decisions\/)|CONTRIBUTING)/

describe('ids of gaps stand only where their table is known: pages for users link rows by their grades', () => {
  test.each(pages.filter((page) => !mayNameGaps.test(page)))('%s', (page) =>
    expect(bareGapIds(readFileSync(page, 'utf8'))).toEqual([]),
  )

  test('an id in brackets would be found, a link or code not', () => {
    expect(bareGapIds('A last frame needs a first one (C10, seen).')).toEqual(['C10'])
    expect(bareGapIds('one<sup>[seen](../gaps.md#c10)</sup>, `X4`, families A and A2')).toEqual([])
  })
})
