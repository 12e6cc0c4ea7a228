import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputOf, projectWith, VITEST_RUN } from './project.js'

const testFile = `
import { startEmulator } from 'backlot'
import { useEmulator } from 'backlot/vitest'
import { expect, test } from 'vitest'

const emulator = useEmulator({ seed: 7 })

test('calls the service and the control API', async () => {
  const headers = { authorization: 'Bearer ' + emulator.key }
  const statusOf = async (path: string) => (await fetch(emulator.url + path, { headers })).status
  expect(await statusOf('/provB/api/v3/contents/generations/tasks')).toBe(200)
  expect(await statusOf('/_backlot/health')).toBe(200)
  expect(await emulator.requests.list()).toStrictEqual([expect.objectContaining({ status: 200 })])
})

test('stops at the end of a block', async () => {
  let url = ''
  {
    await using own = await startEmulator()
    url = own.url
  }
  await expect(fetch(url)).rejects.toThrow()
})
`

// Those whose names begin with vm run tests in a context of node:vm.
test.each(['forks', 'threads', 'vmForks', 'vmThreads'])(
  'the helper works in the pool %s of vitest',
  (pool) => {
    const folder = projectWith({ 'a.test.ts': testFile })
    expect(outputOf([...VITEST_RUN, '--root', '.', '--pool', pool], folder)).toMatch(/Tests +2 passed/)
  },
  60_000,
)

const coverageFile = `
import { useEmulator } from 'backlot/vitest'
import { test } from 'vitest'

// As in Jest, whose tests have a copy of the environment.
process.env = { ...process.env }
const emulator = useEmulator({ coverage: 'out' })

test('calls the service', async () => {
  await fetch(emulator.url + '/provB/api/v3/contents/generations/tasks')
})
`

test('the option coverage reaches an emulator outside of the context of the tests', async () => {
  const folder = projectWith({ 'a.test.ts': coverageFile })
  expect(outputOf([...VITEST_RUN, '--root', '.', '--pool', 'vmForks'], folder)).toMatch(/Tests +1 passed/)
  expect(await readdir(join(folder, 'out'))).toContainEqual(expect.stringMatching(/^part-.*\.json$/))
}, 60_000)

const jsdomFile = `
import { useEmulator } from 'backlot/vitest'
import { expect, test } from 'vitest'
import 'backlot/matchers/vitest'

// As in the environment of Jest 29 for jsdom.
globalThis.URL = Object.assign(class extends URL {}, { canParse: undefined })
globalThis.URLSearchParams = class extends URLSearchParams { get size() { return undefined } }
Reflect.deleteProperty(globalThis, 'TextDecoder')

const emulator = useEmulator()

test('asks the emulator', async () => {
  expect(await emulator.tasks.list()).toStrictEqual([])
  await expect(emulator.url + '/_backlot/fixtures/first-frame.png').toBeAnImage()
})
`

test('the helper needs no globals that jsdom lacks', () => {
  const folder = projectWith({ 'a.test.ts': jsdomFile })
  const output = outputOf([...VITEST_RUN, '--root', '.', '--pool', 'vmForks'], folder)
  expect(output).toMatch(/Tests +1 passed/)
}, 60_000)

const pageFile = `
import { useEmulator } from 'backlot/vitest'
import { expect, test } from 'vitest'

// As in jsdom and happy-dom, whose signals are none of Node's.
globalThis.AbortController = class {
  signal = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} }
  abort() {}
}
globalThis.URL = Object.assign(class extends URL {}, { canParse: undefined })

const emulator = useEmulator({ callbackHosts: ['127.0.0.1'] })

test('asks the emulator', async () => {
  expect(await emulator.tasks.list()).toStrictEqual([])
})
`

test('the helper starts an emulator where the page has an AbortController and an older URL of its own', () => {
  const folder = projectWith({ 'a.test.ts': pageFile })
  expect(outputOf([...VITEST_RUN, '--root', '.'], folder)).toMatch(/Tests +1 passed/)
}, 60_000)
