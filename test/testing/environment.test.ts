import { expect, test } from 'vitest'
import { createEnvironment } from '../../src/testing/environment.js'

const setUp = (templates: Record<string, string>, variables: Record<string, string | undefined> = {}) => ({
  variables,
  environment: createEnvironment(templates, variables),
})

test.each([
  ['http://127.0.0.1:4010', '4010'],
  ['http://emulator', '80'],
  ['https://emulator', '443'],
])('the port of %s is %s', (url, port) => {
  const { variables, environment } = setUp({ PORT: '{port}', BASE: '{url}/v1', OTHER: '{other}' })
  environment.set({ url })
  expect(variables).toEqual({ PORT: port, BASE: `${url}/v1`, OTHER: '{other}' })
})

test('a variable waits until everything that it names is known', () => {
  const { variables, environment } = setUp({ BASE: '{url}', BOTH: '{url}#{key}' })
  environment.set({ url: 'http://a' })
  expect(variables).toEqual({ BASE: 'http://a' })
  environment.set({ url: 'http://a', key: 'k' })
  expect(variables).toEqual({ BASE: 'http://a', BOTH: 'http://a#k' })
})

test('what was there before the first time comes back, and what was not goes', () => {
  const { variables, environment } = setUp({ OLD: '{key}', NEW: '{key}' }, { OLD: 'old' })
  environment.set({ key: 'one' })
  environment.set({ key: 'two' })
  expect(variables).toEqual({ OLD: 'two', NEW: 'two' })
  environment.restore()
  expect(variables).toEqual({ OLD: 'old' })
})
