import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { builtIn } from '../../src/emulator/families/index.js'

const { gaps } = builtIn

/** The page of docs/families: names what the family has, and links rows of the table of gaps. */
export const isDocumented = (family: AnyTaskFamily): void => {
  const path = `docs/families/${family.id}.md`
  const page = existsSync(path) ? readFileSync(path, 'utf8') : ''

  test(`the page ${path} exists`, () => expect(page, `${path} is missing or empty`).not.toBe(''))

  test.each(family.models)('the page names the model %s', (model) => expect(page).toContain(`\`${model}\``))

  test.each(Object.values(family.routes).map((route) => route.path))('the page names the path %s', (route) =>
    expect(page).toContain(route),
  )

  test('the page links rows of the table of gaps', () => {
    const ids = gaps.map(({ id }) => id.toLowerCase())
    const linked = [...page.matchAll(/gaps\.md#([a-z]\d+)/g)].map(([, id]) => id)
    expect(linked.length, `${path} links no row of docs/gaps.md`).toBeGreaterThan(0)
    expect(ids).toEqual(expect.arrayContaining([...new Set(linked)]))
  })
}
