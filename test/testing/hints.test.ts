import { expect, test } from 'vitest'
import { outputOf, projectWith, VITEST } from './project.js'

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
  expect(outputOf([VITEST, 'run', '--root', '.'], folder)).toMatch(shown)
}, 60_000)
