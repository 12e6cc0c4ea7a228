import { expect, test } from 'vitest'
import { baseUrlsOf } from '../../../src/cli/output/screen/base-urls.js'
import { operations, taskFamilies } from '../../../src/families/index.js'

const bases = baseUrlsOf(operations, taskFamilies)

test.each([
  ['/provA/api/v1', ['A', 'A2']],
  ['/provB/api/v3', ['B']],
  ['/v1', ['C', 'E']],
  ['/provC/v2', ['F']],
])('%s is the base URL of %j', (path, sections) =>
  expect(bases.find((base) => base.path === path)?.sections).toEqual(expect.arrayContaining(sections)),
)

test('every route lies below one base URL, and none is named twice', () => {
  const paths = bases.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const { route } of operations)
    expect(paths.filter((path) => route.path.startsWith(`${path}/`))).toHaveLength(1)
})
