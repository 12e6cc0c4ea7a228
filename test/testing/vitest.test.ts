import { describe, expect, test } from 'vitest'
import type { AccountHandles } from '../../src/index.js'
import { useEmulator } from '../../src/testing/vitest/index.js'
import { createTask } from './calls.js'

// The helper as it is used, in the framework that runs this; what fails a test is tried in end-of-test.test.ts.
describe('one after the other', () => {
  const emulator = useEmulator({ shared: false, env: { VITEST_HELPER_KEY: '{key}' } })

  test.each(['one', 'two'])('test %s has an account of its own', async (name) => {
    expect(emulator.key).toMatch(new RegExp(`^test-one-after-the-other-test-${name}-has-an-acco`))
    expect(process.env.VITEST_HELPER_KEY).toBe(emulator.key)
    const id = await createTask(emulator.url, emulator.key)
    expect((await emulator.tasks.list()).map((task) => task.id)).toEqual([id])
  })
})

describe('at the same time', () => {
  const emulator = useEmulator({ shared: false })

  test.concurrent.each(['one', 'two'])('test %s has one too', async () => {
    const account = await emulator.freshAccount()
    await createTask(emulator.url, account.key)
    expect(await account.tasks.list()).toHaveLength(1)
  })

  test.concurrent('named after the test', async (context) => {
    const { key } = await emulator.freshAccount({ test: context })
    expect(key).toMatch(/^test-at-the-same-time-named-after-the-test-/)
  })
})

describe('with fixtures', () => {
  const emulator = useEmulator({ shared: false })
  const withAccount = test.extend<{ account: AccountHandles }>({
    account: async ({ task, onTestFinished }, use) =>
      use(await emulator.freshAccount({ test: { task, onTestFinished } })),
  })

  withAccount.concurrent('a fixture is an account, named after the test', async ({ account }) => {
    expect(account.key).toMatch(/^test-with-fixtures-a-fixture-is-an-account/)
    expect(await account.tasks.list()).toEqual([])
  })

  withAccount('a test has one beside that of the emulator', async ({ account }) => {
    expect(account.key).not.toBe(emulator.key)
    expect(await emulator.tasks.list()).toEqual([])
  })
})

describe('a fresh account', () => {
  const emulator = useEmulator({ shared: false })

  test('refuses what is no context of a test', async () => {
    await expect(emulator.freshAccount({ test: test as never })).rejects.toThrow(
      'freshAccount: test must be what the test is called with, found a function.',
    )
  })
})

test('nothing is left in the environment', () => {
  expect(process.env.VITEST_HELPER_KEY).toBeUndefined()
})
