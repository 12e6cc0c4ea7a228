import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { operationsDoc } from '../../scripts/generate/operations-doc.js'

test('docs/operations.md has the bounds as they are (npx tsx scripts/make-operations-doc.ts writes them)', () => {
  const page = readFileSync('docs/operations.md', 'utf8')
  expect(operationsDoc(page)).toBe(page)
})
