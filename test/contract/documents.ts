import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { builtIn, families } from '../../src/emulator/families/index.js'

const { gaps } = builtIn

/** The page of docs/families: names what the family has, and no row of the table of gaps that is not there. */
export const isDocumented = (family: AnyTaskFamily): void => {
  const path = `docs/families/${family.id}.md`
  const page = existsSync(path) ? readFileSync(path, 'utf8') : ''

  test(`the page ${path} exists`, () => expect(page, `${path} is missing or empty`).not.toBe(''))

  test.each(family.models)('the page names the model %s', (model) => expect(page).toContain(`\`${model}\``))

  test.each(Object.values(family.routes).map((route) => route.path))('the page names the path %s', (route) =>
    expect(page).toContain(route),
  )

  test('the page names rows of the table of gaps, and only such as there are', () => {
    const ids = gaps.map(({ id }) => id)
    const letters = [...new Set(ids.map(([letter]) => letter))].join('')
    const named = page.match(new RegExp(`(?<![\\w-])[${letters}]\\d{1,2}\\b`, 'g')) ?? []
    expect(
      named.some((id) => ids.includes(id)),
      `${path} names no row of docs/gaps.md`,
    ).toBe(true)
    // Chapters such as A2 are named as rows are.
    const chapters = families.map(({ section }) => section)
    expect([...ids, ...chapters]).toEqual(expect.arrayContaining([...new Set(named)]))
  })
}
