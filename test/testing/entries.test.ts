import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Files of the package that are loaded with an entry: what it imports, and what those import, but not what is imported later. */
const loadedWith = (entry: string): string[] => {
  const loaded = new Set([entry])
  // The loop reaches what is added to the set on the way.
  for (const file of loaded) {
    const text = readFileSync(new URL(`../../dist/${file}`, import.meta.url), 'utf8')
    const imported = text.matchAll(
      /^import (?:[^;]*? from )?"\.\/([^"]+)"|^(?:const \w+ = )?require\("\.\/([^"]+)"\)/gm,
    )
    for (const [, name, required] of imported) loaded.add(name ?? required ?? '')
  }
  return [...loaded]
}

const entries = [
  'vitest',
  'jest',
  'node-test',
  'playwright',
  'matchers',
  'vitest-global-setup',
  'jest-global-setup',
  'index',
]

// A file of tests that uses an emulator elsewhere pays for a client alone.
test.each(entries.flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]))(
  '%s loads a client, and neither the emulator nor a schema',
  (entry) => {
    const files = loadedWith(entry)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter((file) => /^(emulator|control|recorder|zod)-/.test(file))).toEqual([])
  },
)
