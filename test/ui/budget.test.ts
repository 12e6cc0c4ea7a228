import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const FOLDER = 'dist/ui'

const compressed = (names: Iterable<string>): number =>
  [...names].reduce((sum, name) => sum + gzipSync(readFileSync(`${FOLDER}/${name}`)).length, 0)

/** A script and every script that it imports, directly or not, but for those that it loads when they are needed. */
const withImports = (name: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(name)) return found
  found.add(name)
  const source = readFileSync(`${FOLDER}/${name}`, 'utf8')
  for (const [, imported = ''] of source.matchAll(/(?:from|^import|;import)\s*["']\.\/([\w.-]+\.js)["']/gm))
    withImports(imported, found)
  return found
}

/** The scripts that a script loads when they are needed. */
const lazyImports = (name: string): readonly string[] =>
  [...readFileSync(`${FOLDER}/${name}`, 'utf8').matchAll(/import\([`"']\.\/([\w.-]+\.js)[`"']\)/g)].map(
    ([, lazy = '']) => lazy,
  )

const VIEWS = ['timeline', 'requests', 'results', 'callbacks', 'scenarios', 'console', 'account', 'gaps']

const entry = withImports('app.js')
const first = compressed(['index.html', 'icon.svg', 'app.css', ...entry])
const scripts = [...entry].flatMap(lazyImports)

test('each view is a script of its own, which is loaded when it is opened', () => {
  // The hash at the end of a name has eight characters, of which some can be hyphens.
  expect(scripts.map((name) => name.replace(/-[\w-]{8}\.js$/, '')).toSorted()).toEqual(VIEWS.toSorted())
})

test.each(VIEWS)('the page that opens at %s loads at most 60 KB compressed', (view) => {
  const script = scripts.find((name) => name.startsWith(`${view}-`)) ?? ''
  const more = [...withImports(script)].filter((name) => !entry.has(name))
  expect(first).toBeGreaterThan(10_000)
  expect(first + compressed(more)).toBeLessThanOrEqual(60_000)
})

test('all files of the page together are at most 100 KB compressed', () =>
  expect(compressed(readdirSync(FOLDER))).toBeLessThanOrEqual(100_000))
