import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const body = `
import { startEmulator } from 'backlot'

test('a name that is not there', () => startEmulator({ scenario: 'rate-limit-brust' }))
`

/** A project in which the built package is installed. */
const projectWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-hints-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules', 'backlot'))
  symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules', 'vitest'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const outputOf = (args: readonly string[], cwd: string): string => {
  const environment = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_|BACKLOT_)/.test(name))
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    ...{ cwd, encoding: 'utf8', timeout: 60_000 },
    env: { ...Object.fromEntries(environment), NO_COLOR: '1' },
  })
  return stdout + stderr
}

const shown = /There is no scenario "rate-limit-brust"\.\n\s*Did you mean rate-limit-burst\?/

test.each(['tap', 'spec', 'dot'])('node:test shows the hint of an error: %s', (reporter) => {
  const folder = projectWith({ 'a.test.mjs': `import { test } from 'node:test'${body}` })
  expect(outputOf(['--test', `--test-reporter=${reporter}`, 'a.test.mjs'], folder)).toMatch(shown)
})

test('vitest shows the hint of an error', () => {
  const folder = projectWith({ 'a.test.mjs': `import { test } from 'vitest'${body}` })
  expect(outputOf([resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', '.'], folder)).toMatch(shown)
}, 60_000)
