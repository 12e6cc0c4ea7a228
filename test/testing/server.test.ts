import { afterEach, describe, expect, test } from 'vitest'
import { connectEmulator, startEmulator } from '../../src/index.js'
import { globalSetup as forJest } from '../../src/testing/jest/global-setup.js'
import { teardown } from '../../src/testing/jest/global-teardown.js'
import { createEnvironment, startShared } from '../../src/testing/server.js'
import { globalSetup as forVitest } from '../../src/testing/vitest/global-setup.js'

describe('environment', () => {
  const setUp = (templates: Record<string, string>, variables: Record<string, string | undefined> = {}) => ({
    variables,
    environment: createEnvironment(templates, variables),
  })

  test.each([
    ['http://127.0.0.1:4650', '4650'],
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

  test('former variables get their values back, and new ones are removed', () => {
    const { variables, environment } = setUp({ OLD: '{key}', NEW: '{key}' }, { OLD: 'old' })
    environment.set({ key: 'one' })
    environment.set({ key: 'two' })
    expect(variables).toEqual({ OLD: 'two', NEW: 'two' })
    environment.restore()
    expect(variables).toEqual({ OLD: 'old' })
  })

  test('the emulator is exempt from the proxy that is named, once however often it is set', () => {
    const before = { http_proxy: 'http://proxy:8080', NO_PROXY: 'a.test, b.test' }
    const { variables, environment } = setUp({ BASE: '{url}' }, { ...before })
    environment.set({ url: 'http://[::1]:4650' })
    environment.set({ url: 'http://[::1]:4650', key: 'k' })
    expect(variables).toEqual({
      http_proxy: 'http://proxy:8080',
      BASE: 'http://[::1]:4650',
      NO_PROXY: 'a.test,b.test,::1',
      no_proxy: 'a.test,b.test,::1',
    })
    environment.restore()
    expect(variables).toEqual(before)
  })

  test.each([
    ['a proxy from which everything is exempt', { ALL_PROXY: 'x', no_proxy: '*' }],
    ['no proxy', { NO_PROXY: 'a.test' }],
  ])('%s needs no exemption', (_, given) => {
    const { variables, environment } = setUp({}, { ...given })
    environment.set({ url: 'http://127.0.0.1:4650' })
    expect(variables).toEqual(given)
  })

  test('a variable that is asked for replaces the exemption', () => {
    const { variables, environment } = setUp({ NO_PROXY: 'c.test', no_proxy: 'c.test' }, { HTTP_PROXY: 'x' })
    environment.set({ url: 'http://127.0.0.1:4650' })
    expect(variables).toEqual({ HTTP_PROXY: 'x', NO_PROXY: 'c.test', no_proxy: 'c.test' })
  })
})

describe('shared emulator', () => {
  const variables = ['BACKLOT_URL', 'BACKLOT_CONTROL_TOKEN', 'SHARED_BASE']

  afterEach(() => {
    for (const name of variables) expect(process.env[name], name).toBeUndefined()
  })

  test('puts the URL, the token and what is asked for into the environment, and takes them out again', async () => {
    const shared = await startShared({ controlToken: 'sesame', env: { SHARED_BASE: '{url}/provB/api/v3' } })
    expect(variables.map((name) => process.env[name])).toEqual([
      shared.url,
      'sesame',
      `${shared.url}/provB/api/v3`,
    ])
    expect((await connectEmulator(shared.url).read()).tag).toMatch(/^[0-9a-f]{12}$/)
    await shared.stop()
    await expect(connectEmulator(shared.url).read()).rejects.toMatchObject({ code: 'unreachable' })
  })

  test('a variable with the key is refused: it would never be set', async () => {
    await expect(startShared({ env: { VIDEO_API_KEY: 'Bearer {key}' } })).rejects.toMatchObject({
      code: 'bad-option',
      sentence: 'env: VIDEO_API_KEY has {key}, and a global setup knows no key: each test has its own.',
    })
  })

  test.each<[string, unknown, string]>([
    ['no object', null, 'globalSetup: options must be an object, found null.'],
    [
      'an environment that is none',
      { env: 5 },
      'globalSetup: env must be an object whose values are strings',
    ],
    ['a misspelt option', { evn: {} }, 'globalSetup: evn is no option and no setting, did you mean env?'],
    ['a number as a variable', { env: { PORT: 1 } }, 'globalSetup: env must be an object whose values are'],
    [
      'a misspelt placeholder',
      { env: { VIDEO_API_BASE: '{ulr}/provB' } },
      'env: VIDEO_API_BASE has {ulr}, and there is no placeholder "ulr": did you mean url? Also possible: port.',
    ],
  ])('%s is refused', async (_, options, message) => {
    await expect(startShared(options as object)).rejects.toThrow(message)
  })

  test('uses the one that runs already, and leaves it running', async () => {
    await using emulator = await startEmulator()
    process.env.BACKLOT_URL = emulator.url
    const shared = await startShared()
    expect(shared.url).toBe(emulator.url)
    await shared.stop()
    await expect(connectEmulator(emulator.url).read()).resolves.toBeDefined()
    delete process.env.BACKLOT_URL
  })

  test('for vitest: is provided to the workers, and stops with what the setup returns', async () => {
    const provided: unknown[] = []
    const stop = await forVitest({ timing: 'instant' })({ provide: (...given) => void provided.push(given) })
    expect(provided).toEqual([
      ['backlot', { url: process.env.BACKLOT_URL, token: undefined, clock: 'on-poll' }],
    ])
    await stop()
  })

  test('for Jest: the teardown finds what the setup has started', async () => {
    await forJest()()
    const url = process.env.BACKLOT_URL ?? ''
    await expect(connectEmulator(url).read()).resolves.toBeDefined()
    await teardown()
    await expect(connectEmulator(url).read()).rejects.toMatchObject({ code: 'unreachable' })
    await expect(teardown()).resolves.toBeUndefined()
  })

  test('for Jest: the teardown stops what the setups of several projects have started', async () => {
    await forJest()()
    const url = process.env.BACKLOT_URL ?? ''
    await forJest({ env: { SHARED_BASE: '{url}/v1' } })()
    expect(process.env.SHARED_BASE).toBe(`${url}/v1`)
    await teardown()
    await expect(connectEmulator(url).read()).rejects.toMatchObject({ code: 'unreachable' })
  })
})
