import { expect, test } from 'vitest'
import { fillPath, paramNames, pathMatcher } from '../../../../src/emulator/core/model/path.js'

const FILE = '/v1/tasks/{id}/file/{n}'

test('the parameters of a template are read from a path', () => {
  expect(paramNames(FILE)).toEqual(['id', 'n'])
  expect(pathMatcher(FILE)('/v1/tasks/a%20b/file/2')).toEqual({ id: 'a b', n: '2' })
  expect(pathMatcher(FILE)('/v1/videos/1')).toBeUndefined()
})

test('a parameter with malformed percent-encoding is taken as it stands', () =>
  expect(pathMatcher('/v1/videos/{id}')('/v1/videos/%ff')).toEqual({ id: '%ff' }))

test('a template is filled in, and a parameter without a value stays as its name', () =>
  expect(fillPath(FILE, { id: 'a/b', n: '' })).toBe('/v1/tasks/a%2Fb/file/n'))
