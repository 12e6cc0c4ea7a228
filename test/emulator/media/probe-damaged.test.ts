import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { probe } from '../../../src/emulator/media/probe.js'
import { damaged, damages } from '../core/media/readers/damage.js'

const folder = new URL('../../../fixtures/media/', import.meta.url)

// Without the large flat pictures: they are much work and hold little that could be damaged.
const samples = readdirSync(folder)
  .filter((name) => name !== 'index.json' && !name.startsWith('side-'))
  .map((name) => readFileSync(new URL(name, folder)))

test('whatever happens to a file, probing it ends in facts or in a sentence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(samples.length - 1), damages, async (index, damage) => {
      const result = await probe(damaged(samples[index] ?? Buffer.alloc(0), damage), 4_000_000)
      if (result.kind === 'unreadable') expect(result.detail).toMatch(/^the [^\n]+[^.]$/)
      else expect(result.bytes).toBeGreaterThan(0)
    }),
    { seed: 11, numRuns: 500 },
  )
})
