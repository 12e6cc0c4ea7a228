import { expect, test } from 'vitest'
import { outputOf, projectWith } from './project.js'

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
const keysOf = (folder: string, name: string): string[] =>
  [...outputOf([name], folder).matchAll(/KEY (\S+)/g)].map(([, key = '']) => key)

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
