import { expect, test } from 'vitest'
import type { AnyAction } from '../../../src/emulator/control/action.js'
import { actions } from '../../../src/emulator/control/actions/index.js'

const routes = Object.entries<AnyAction>(actions).map(([name, { route, matches }]) => ({
  name,
  matches,
  segments: [route.method, ...route.path.split('/')],
}))

test('no action has a route that an action before it takes', () => {
  const hidden = routes.flatMap(({ name, segments }, index) =>
    routes
      .slice(0, index)
      .filter((earlier) => earlier.matches === undefined && earlier.segments.length === segments.length)
      .filter((earlier) => earlier.segments.every((one, at) => one.startsWith(':') || one === segments[at]))
      .map((earlier) => `${name} comes after ${earlier.name}`),
  )
  expect(hidden).toEqual([])
})
