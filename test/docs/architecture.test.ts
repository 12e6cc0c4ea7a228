import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/architecture.md', 'utf8')
const named = [...page.matchAll(/`(\w+)`\s+in\s+`(src\/[\w./-]+)`/g)].map(([, name = '', file = '']) => ({
  name,
  file,
}))

test('every trace names functions', () => expect(named.length).toBeGreaterThan(25))

test.each(named)('$name is defined in $file', ({ name, file }) => {
  expect(existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`(const|function|class) ${name}\\b`))
})
