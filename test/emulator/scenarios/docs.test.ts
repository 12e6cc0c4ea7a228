import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scenarioLibraryDoc } from '../../../scripts/generate/scenario-docs.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { createLibrary } from '../../../src/emulator/scenarios/library.js'
import { parseScenario } from '../../../src/emulator/scenarios/read.js'
import { newFolder } from '../../folder.js'
import { effectKeys, selectorKeys } from '../core/scenario/schema-keys.js'

const { catalogue } = builtIn

const read = (path: string) => readFile(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
const guide = await read('scenarios.md')

const blocks = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text)

/** A block is a whole file, or steps of one. */
const asFile = (text: string): string =>
  text.startsWith('name:')
    ? text
    : `name: example\ndescription: An example.\nsteps:\n${text.replace(/^/gm, '  ')}`

test.each(blocks)('docs/scenarios.md: %s', async (text) => {
  expect(await parseScenario(asFile(text))).toHaveProperty('scenario')
})

test.each([...selectorKeys, ...effectKeys])('docs/scenarios.md shows %s in an example', (key) => {
  expect(blocks.join('\n')).toMatch(new RegExp(`\\b${key}:`))
})

test('docs/scenarios.md names every operation', () => {
  // `b-video-task.create`, `.read`, `.list`
  const isNamed = (operation: string): boolean => {
    const [family, verb] = operation.split('.')
    return guide.includes(`\`${family}.`) && new RegExp(`\`(${family})?\\.${verb}\``).test(guide)
  }
  expect(catalogue.operations.filter((operation) => !isNamed(operation))).toEqual([])
})

test('the mistakes that docs/scenarios.md shows are told as it says', async () => {
  const good = blocks[0] ?? ''
  const bad = good.replace('b-video-task.create', 'b-video-task.crate').replace('retryAfter', 'retry')
  const parsed = await parseScenario(bad)
  const shown = guide.match(/^busy\.yaml:.*$/gm)
  expect(
    'diagnostics' in parsed &&
      parsed.diagnostics.map(({ line, column, message }) => `busy.yaml:${line}:${column}: ${message}`),
  ).toEqual(shown)
})

test('docs/scenario-library.md is not written of a file without its subject', async () => {
  const folder = newFolder()
  const steps = '[{ then: { answer: { status: 503 } } }]'
  const text = `name: bare\ndescription: It breaks.\nadvice: Tries again.\nsteps: ${steps}`
  writeFileSync(join(folder, 'bare.yaml'), text)
  await expect(scenarioLibraryDoc(createLibrary(folder))).rejects.toMatchObject({
    code: 'bad-scenario',
    message: 'scenarios/bare.yaml must have about, survivable.',
  })
})

test('docs/scenario-library.md is up to date, with what the simple client survives', {
  timeout: 120_000,
}, async () => {
  expect(await read('scenario-library.md')).toBe(await scenarioLibraryDoc())
})
