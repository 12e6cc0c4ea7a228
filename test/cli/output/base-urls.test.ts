import { expect, test } from 'vitest'
import { baseUrlsOf } from '../../../src/cli/output/screen/base-urls.js'
import { assetLibrary } from '../../../src/families/d-assets/index.js'
import { operations, taskFamilies } from '../../../src/families/index.js'

const bases = baseUrlsOf(operations, [...taskFamilies, assetLibrary])

test.each([
  ['/provA/api/v1', ['A', 'A2']],
  ['/provB/api/v3', ['B']],
  ['/v1', ['C', 'D', 'E']],
  ['/provC/v2', ['F']],
])('%s is the base URL of the chapters %j, in their order', (path, sections) =>
  expect(bases.find((base) => base.path === path)?.chapters.map(({ section }) => section)).toEqual(sections),
)

test('every route lies below one base URL, and none is named twice', () => {
  const paths = bases.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const { route } of operations)
    expect(paths.filter((path) => route.path.startsWith(`${path}/`))).toHaveLength(1)
})
