import { expect, test } from 'vitest'
import { outputOf, projectWith, VITEST_RUN } from './project.js'

const body = `
import { startEmulator } from 'backlot'

test('a name that is not there', () => startEmulator({ scenario: 'rate-limit-brust' }))
`

const shown = /There is no scenario "rate-limit-brust"\.\n\s*Did you mean rate-limit-burst\?/

test.each(['tap', 'spec', 'dot'])('node:test shows the hint of an error: %s', (reporter) => {
  const folder = projectWith({ 'a.test.mjs': `import { test } from 'node:test'${body}` })
  expect(outputOf(['--test', `--test-reporter=${reporter}`, 'a.test.mjs'], folder)).toMatch(shown)
})

test('vitest shows the hint of an error', () => {
  const folder = projectWith({ 'a.test.mjs': `import { test } from 'vitest'${body}` })
  expect(outputOf([...VITEST_RUN, '--root', '.'], folder)).toMatch(shown)
}, 60_000)

// Each framework skips some hooks once another has thrown: vitest those above it, node:test those below.
const hook = `
afterEach(({ name, task }) => {
  if ((task?.name ?? name) === 'first') throw new Error('of the user')
})`

const throwing = (framework: string, entry: string, start: string) => `
import { afterEach, test } from '${framework}'
import { useEmulator } from 'backlot/${entry}'
${start}
test('first', () => emulator.tasks.list())
test('second', () => emulator.tasks.list())
`

test('an afterEach that throws fails its own test and no later one: node:test', () => {
  const file = throwing('node:test', 'node-test', `${hook}\nconst emulator = useEmulator()`)
  const output = outputOf(
    ['--test', '--test-reporter=tap', 'a.test.mjs'],
    projectWith({ 'a.test.mjs': file }),
  )
  expect(output).toMatch(/^ *not ok 1 - first$/m)
  expect(output).toMatch(/^ *ok 2 - second$/m)
})

test('an afterEach that throws fails its own test and no later one: vitest', () => {
  const file = throwing('vitest', 'vitest', `const emulator = useEmulator()${hook}`)
  const output = outputOf([...VITEST_RUN, '--root', '.'], projectWith({ 'a.test.mjs': file }))
  expect(output).toMatch(/Tests +1 failed \| 1 passed/)
}, 60_000)
