import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const filesIn = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))

test('the files of the page are at most 60 KB compressed', () => {
  const files = filesIn('dist/ui')
  const bytes = files.reduce((sum, file) => sum + file.length, 0)
  const compressed = files.reduce((sum, file) => sum + gzipSync(file).length, 0)
  expect(bytes).toBeGreaterThan(10_000)
  expect(compressed).toBeLessThanOrEqual(60_000)
})
