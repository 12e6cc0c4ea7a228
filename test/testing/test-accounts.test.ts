import path, { basename } from 'node:path'
import { expect, test, vi } from 'vitest'
import { keyFor } from '../../src/testing/test-accounts.js'

const one = { file: 'a.test.ts', name: 'A task that is cancelled, while it runs: is it charged?' }

test('is made of the words of the name, and safe in a header', () => {
  expect(keyFor(one)).toMatch(/^test-a-task-that-is-cancelled-while-it-runs-i-[0-9a-f]{8}$/)
  expect(keyFor({ file: 'a', name: '日本語' })).toMatch(/^test-[0-9a-f]{8}$/)
})

test('never behaves like a reserved key, unless it is asked to', () => {
  expect(keyFor({ file: 'a', name: 'invalid calls' })).toMatch(/^test-invalid-calls-/)
  expect(keyFor({ file: 'a', name: 'invalid calls' }, 'no-balance')).toMatch(/^no-balance-invalid-calls-/)
})

test.each([
  ['file', keyFor({ ...one, file: 'b.test.ts' })],
  ['name', keyFor({ ...one, name: `${one.name}!` })],
  ['count', keyFor(one, 'test', 2)],
])('differs with the %s', (_, other) => expect(other).not.toBe(keyFor(one)))

test('differs with the project of a run, unless it is the package', () => {
  const keys = ['backlot', basename(process.cwd()), 'browser'].map((project) => keyFor({ ...one, project }))
  expect(keys.map((key) => key === keyFor(one))).toEqual([true, true, false])
})

test('is the same on every run', () => expect(keyFor(one)).toBe(keyFor({ ...one })))

test('is the same on Windows', async () => {
  vi.doMock('node:path', () => path.win32)
  vi.resetModules()
  const { testFileOf } = await import('../../src/testing/test-accounts.js')
  vi.doUnmock('node:path')
  // Test files of a worker share their modules.
  vi.resetModules()
  expect(testFileOf({ file: path.win32.resolve('test', 'a.test.ts') })).toBe('test/a.test.ts')
})
