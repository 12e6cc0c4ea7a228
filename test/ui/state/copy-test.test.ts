import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import type { LooseEnd } from '../../../src/testing/use-emulator.js'
import { useEmulator } from '../../../src/testing/vitest/index.js'
import { asTest } from '../../../src/ui/state/copy-test.js'
import { clientOf, kinds, urlOf } from './copied-calls.js'

// The helper that a copied test imports: what fails a test at its end fails it here as well.
const helper = useEmulator({ shared: false })

const KEY = 'alice-key'

// biome-ignore lint/complexity/useArrowFunction: its constructor runs source
const AsyncFunction = async function () {}.constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<unknown>

/** Runs the source of a copied test. */
const run = async (source: string): Promise<void> => {
  const tests: (() => Promise<void>)[] = []
  await new AsyncFunction('useEmulator', 'expect', 'test', source.replace(/^import .*$/gm, ''))(
    ({ allow = [] }: { allow?: LooseEnd[] } = {}) => {
      helper.allow(...allow)
      return helper
    },
    expect,
    (_: string, body: () => Promise<void>) => tests.push(body),
  )
  expect(tests).toHaveLength(1)
  await tests[0]?.()
}

const openClient = async () => {
  const emulator = await startEmulator({ clock: 'paused' })
  onTestFinished(() => emulator.stop())
  return clientOf(emulator, KEY)
}

test.each(Object.entries(kinds))(
  'a copied test passes where it is pasted: %s',
  async (kind, [status, contains, call]) => {
    const client = await openClient()
    await call(client)
    // A call without a key is one of the default account.
    const account = client.emulator.account(kind.includes('without a key') ? 'default' : KEY)
    const [record] = await account.requests.list()
    const request = await account.requests.get(record?.id ?? '')
    const creatorId = request.followed.task?.requestId
    const creator = creatorId === undefined ? undefined : await account.requests.get(creatorId)
    const { items } = (await client.send('/_backlot/fixtures')) as {
      items: { name: string; facts: { bytes: number } }[]
    }
    const samples = items.map(({ name, facts }) => ({ name, bytes: facts.bytes }))
    const source = asTest(request, { creator, errors: ['ServerOverloaded'], samples })
    expect(request.connection ? 200 : request.status).toBe(status)
    expect(source).toContain(contains)
    await run(source)
  },
)

test('a test of a download whose task is gone is refused', async () => {
  const client = await openClient()
  await client.send(await urlOf(client))
  const [record] = await client.account.requests.list()
  const request = await client.account.requests.get(record?.id ?? '')
  expect(() => asTest(request)).toThrow('No test repeats this download')
})
