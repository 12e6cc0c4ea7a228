import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const filesIn = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))

test('the sources of the page are at most 6,000 lines', () => {
  const lines = filesIn('src/ui').map((file) => file.toString().split('\n').length - 1)
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(6_000)
})

test('the files of the page are at most 150 KB, and 45 KB compressed', () => {
  const files = filesIn('dist/ui')
  const bytes = files.reduce((sum, file) => sum + file.length, 0)
  const compressed = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThanOrEqual(150_000)
  expect(compressed).toBeLessThanOrEqual(45_000)
})
