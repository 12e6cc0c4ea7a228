import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { byTurns, inFullOr, timed } from './measure.js'
import { atMost, row, type Table } from './report.js'

const FILES = 8
const TESTS = 200
const ROUNDS = inFullOr(3, 1)

/** The same tests without the helper, with an emulator for each file, and with one for all of them. */
const kinds = {
  bare: { helper: '', setup: '' },
  'with an emulator for each file': { helper: 'const emulator = useEmulator({ shared: false })', setup: '' },
  'with one emulator for all': {
    helper: 'const emulator = useEmulator()',
    setup: "globalSetup: 'backlot/vitest/global-setup',",
  },
} as const

// The test looks at its account, so that the helper has to have made one.
const testFile = (helper: string): string => `
import { expect, test } from 'vitest'
import { useEmulator } from 'backlot/vitest'
${helper}
for (let nth = 0; nth < ${TESTS / FILES}; nth += 1)
  test('test ' + nth, () => expect(${helper === '' ? "'test-'" : 'emulator.key'}).toContain('test-'))
`

const configFile = (setup: string): string => `
export default {
  test: {
    ${setup}
    // Where the package is installed, it lies in node_modules and is left alone anyway.
    server: { deps: { external: [/dist/] } },
  },
}
`

const makeProject = async (folder: string, { helper, setup }: { helper: string; setup: string }) => {
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await symlink(resolve('.'), join(folder, 'node_modules', 'backlot'))
  await symlink(resolve('node_modules/vitest'), join(folder, 'node_modules', 'vitest'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'vitest.config.js'), configFile(setup))
  for (let file = 0; file < FILES; file += 1)
    await writeFile(join(folder, `file-${file}.test.js`), testFile(helper))
}

const runTests = (folder: string): Promise<void> =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run', '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`vitest ended with ${code}`))))
  })

/** What the helper for vitest costs: the whole run with it, less the whole run without, shared among the tests. */
export const helpers = async (): Promise<Table[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-bench-'))
  const homeOf = (name: string) => join(folder, name.replaceAll(' ', '-'))
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  try {
    for (const name of names) await makeProject(homeOf(name), kinds[name])
    const times = await byTurns(names, ROUNDS, (name) => timed(() => runTests(homeOf(name))))
    // The best of each: what else the machine does meanwhile is no cost of the helper.
    const rows = names
      .filter((name) => name !== 'bare')
      .map((name) =>
        row(name, 'ms a test', (Math.min(...times[name]) - Math.min(...times.bare)) / TESTS, atMost(5)),
      )
    return [
      { title: `${TESTS} tests of vitest in ${FILES} files, against the same without the helper`, rows },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
