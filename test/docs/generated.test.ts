import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generated, generatedText } from '../../scripts/generate.js'

test.each(Object.keys(generated))('%s is not stale (npm run generate)', async (path) => {
  expect(readFileSync(path, 'utf8')).toBe(await generatedText(path))
})
