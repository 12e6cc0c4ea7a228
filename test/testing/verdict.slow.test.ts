import { expect, test } from 'vitest'
import { outputOf, projectWith, VITEST_RUN } from './project.js'

/** Three tests, of which the first leaves a task behind that it may not leave. Jest runs such ones in scripts/try-frameworks.mjs. */
const testFile = (head: string, misbehaved: string) => `
${head}
const emulator = useEmulator({ verdict: true })

const order = () =>
  fetch(emulator.url + '/provB/api/v3/contents/generations/tasks', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + emulator.key },
    body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a tram' }] }),
  })

test('abandons a task', async () => void (await order()))
test('may abandon a task', async () => {
  emulator.allow('abandoned-task')
  await order()
  ${misbehaved}
})
test('behaves', async () => {})
`

const nodeTest = testFile(
  `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertBehaved, useEmulator } from 'backlot/node-test'`,
  `await assert.rejects(assertBehaved(emulator), /abandoned-task: cgt-/)
  await assertBehaved(emulator, { allow: ['abandoned-task'] })`,
)

const inVitest = testFile(
  `import { useEmulator } from 'backlot/vitest'
import 'backlot/matchers/vitest'
import { expect, test } from 'vitest'`,
  `await expect(emulator).not.toHaveBehaved()
  await expect(emulator).toHaveBehaved({ allow: ['abandoned-task'] })`,
)

const told = /The client did not behave:\s+abandoned-task: cgt-\S+ of [\s\S]*docs\/verdict\.md#abandoned-task/

test('a finding fails a test of node:test, and no other one', () => {
  const folder = projectWith({ 'a.test.mjs': nodeTest })
  const output = outputOf(['--test', '--test-reporter=tap', 'a.test.mjs'], folder)
  expect(output).toMatch(/^ *not ok 1 - abandons a task$/m)
  expect(output).toMatch(/^ *ok 2 - may abandon a task$/m)
  expect(output).toMatch(/^ *ok 3 - behaves$/m)
  expect(output).toMatch(told)
})

test('a finding fails a test of vitest, and no other one', () => {
  const output = outputOf([...VITEST_RUN, '--root', '.'], projectWith({ 'a.test.mjs': inVitest }))
  expect(output).toMatch(/Tests +1 failed \| 2 passed/)
  expect(output).toMatch(/FAIL +a\.test\.mjs > abandons a task/)
  expect(output).toMatch(told)
}, 60_000)
