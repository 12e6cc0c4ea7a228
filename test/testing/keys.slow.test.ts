import { join, relative } from 'node:path'
import { expect, test, vi } from 'vitest'
import { outputOf, projectWith, VITEST_RUN } from './project.js'

// Each test runs programs, of which some begin a vitest of their own.
vi.setConfig({ testTimeout: 60_000 })

const testFile = `
import { before, test } from 'node:test'
import { useEmulator } from 'backlot/node-test'

const emulator = useEmulator()
before(async () => {
  await emulator.ready
  console.log('KEY', (await emulator.freshAccount()).key)
})
test('a test', () => console.log('KEY', emulator.key))
`

/** Keys that a test file writes: of an account of no test, and of its test. */
const keysOf = (folder: string, ...args: readonly string[]): string[] =>
  [...outputOf(args, folder).matchAll(/KEY (\S+)/g)].map(([, key = '']) => key)

test('each file has accounts of its own', () => {
  const folder = projectWith({ 'a.test.mjs': testFile, 'b.test.mjs': testFile })
  const keys = ['a.test.mjs', 'b.test.mjs'].flatMap((name) => keysOf(folder, name))
  expect(keys).toHaveLength(4)
  expect(new Set(keys).size).toBe(4)
})

test('the packages of a monorepo have different keys, wherever they are', () => {
  const [one, other, copy] = ['one', 'other', 'one'].map((name) =>
    keysOf(projectWith({ 'package.json': JSON.stringify({ name }), 'a.test.mjs': testFile }), 'a.test.mjs'),
  )
  expect(new Set([...(one ?? []), ...(other ?? [])]).size).toBe(4)
  expect(copy).toEqual(one)
})

test('a test has the same key from whichever folder it is run', () => {
  const folder = projectWith({
    'package.json': JSON.stringify({ name: 'whole' }),
    'packages/one/package.json': JSON.stringify({ name: 'one' }),
    // As where a folder only says that its files are modules.
    'packages/one/test/package.json': JSON.stringify({ type: 'module' }),
    'packages/one/test/a.test.mjs': testFile,
  })
  const keys = ['', 'packages/one', 'packages/one/test'].map((from) =>
    keysOf(join(folder, from), relative(from, 'packages/one/test/a.test.mjs')),
  )
  expect(keys[0]).toHaveLength(2)
  expect(keys).toEqual([keys[0], keys[0], keys[0]])
})

test('a test has the same key in vitest, also as one of several projects', () => {
  const folder = projectWith({
    'package.json': JSON.stringify({ name: 'whole', type: 'module' }),
    'vitest.config.js': "export default { test: { projects: ['packages/*'] } }",
    'packages/one/package.json': JSON.stringify({ name: 'one', type: 'module' }),
    'packages/one/vitest.config.js': 'export default {}',
    'packages/one/a.test.js': `
import { test } from 'vitest'
import { useEmulator } from 'backlot/vitest'
const emulator = useEmulator()
test('a test', () => console.log('KEY', emulator.key))
`,
  })
  const keys = [
    keysOf(join(folder, 'packages/one'), ...VITEST_RUN, '--root', '.'),
    keysOf(folder, ...VITEST_RUN, '--root', 'packages/one'),
    keysOf(folder, ...VITEST_RUN, '--root', '.'),
  ]
  expect(keys).toEqual([[expect.stringMatching(/^test-a-test-/)], keys[0], keys[0]])
})
