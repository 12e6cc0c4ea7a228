import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type CliCommand, usageError } from '../command/command.js'
import { nearest, systemReason } from '../emulator/surface/records.js'
import { makeFolder } from '../emulator/surface/starting.js'

export const command: CliCommand = {
  usage: 'init [target]',
  description:
    'write a first test (vitest, jest or node-test), a configuration file and a CI job (ci); no file is overwritten',
  options: [],
  examples: [
    ['backlot init', 'a test for the framework of package.json, the configuration and a CI job'],
    ['backlot init vitest', 'a first test for vitest, and the configuration'],
    ['backlot init ci', 'a job for GitHub in .github/workflows/backlot.yml'],
  ],
  run: async ({ operands: [target] }) => {
    const targets = [...frameworks, 'ci'] as const
    const chosen = targets.find((name) => name === target)
    if (target !== undefined && chosen === undefined) {
      // Two letters away from vitest, and no slip of the keyboard.
      const meant = target === 'pytest' ? undefined : nearest(target, targets)
      const problem = `Expected ${targets.join(', ')} or nothing, found ${JSON.stringify(target)}.`
      const suggestion = meant === undefined ? '' : `Did you mean ${meant}? `
      throw usageError(problem, `${suggestion}docs/other-languages.md says how to test in other languages.`)
    }
    const folder = process.cwd()
    const project = await readProject(folder)
    const framework = chosen === 'ci' ? undefined : (chosen ?? project.framework)
    const files = [
      ...(framework === undefined ? [] : [testFile(framework, project), CONFIG]),
      ...(chosen === 'ci' || chosen === undefined ? [CI] : []),
    ]
    for (const { path, text } of files)
      process.stdout.write(`${await writeNew(`${folder}/${path}`, text)}  ${path}\n`)
    const runner = framework === 'jest' && project.isModule ? 'jest-esm' : framework
    if (runner !== undefined) process.stdout.write(`Run the test: ${runLine[runner]}\n`)
    return 0
  },
}

const frameworks = ['vitest', 'jest', 'node-test'] as const
type Framework = (typeof frameworks)[number]

const writeNew = async (path: string, text: string): Promise<string> => {
  if (existsSync(path)) return 'kept   '
  try {
    await makeFolder(dirname(path))
    await writeFile(path, text, { flag: 'wx' })
    return 'written'
  } catch (error) {
    throw usageError(
      `${path} cannot be written: ${systemReason(error)}.`,
      'Run it in a folder that can be written to.',
    )
  }
}

type Project = Awaited<ReturnType<typeof readProject>>

const readProject = async (folder: string) => {
  const text = await readFile(`${folder}/package.json`, 'utf8').catch(() => '{}')
  const { type, dependencies, devDependencies } = parsePackage(text)
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  return {
    framework: frameworks.find((name) => packages.includes(name)) ?? 'node-test',
    isModule: type === 'module',
    hasTypeScript: existsSync(`${folder}/tsconfig.json`),
  }
}

const parsePackage = (
  json: string,
): { readonly type?: unknown; readonly dependencies?: object; readonly devDependencies?: object } => {
  try {
    // npm takes a byte order mark, as some editors write it, and so does this.
    return JSON.parse(json.replace(/^\uFEFF/, '')) ?? {}
  } catch (cause) {
    throw usageError(`package.json is not JSON: ${(cause as Error).message}.`)
  }
}

const testFile = (framework: Framework, { isModule, hasTypeScript }: Project) => {
  if (framework === 'vitest')
    return { path: `test/backlot.test.${hasTypeScript ? 'ts' : 'mjs'}`, text: vitestText }
  if (framework === 'node-test') return { path: 'test/backlot.test.mjs', text: nodeTestText }
  const moduleImport = "import { useEmulator } from 'backlot/jest'"
  const useEmulator = isModule ? moduleImport : "const { useEmulator } = require('backlot/jest')"
  return { path: 'test/backlot.test.js', text: `${useEmulator}\n${usingEmulator(jestChecks)}` }
}

/**
 * A test that makes a video and waits for it, with the checks in the words of a framework. It is TypeScript as well, in which
 * `json()` of a response is unknown.
 */
const usingEmulator = (checks: readonly string[]): string => `
// A key is an account: each test has one of its own. Time stands still and moves with each query of the status.
const emulator = useEmulator()

test('a video task succeeds', async () => {
  const headers = { authorization: \`Bearer \${emulator.key}\`, 'content-type': 'application/json' }
  const tasks = \`\${emulator.url}/provB/api/v3/contents/generations/tasks\`
  const body = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
  const created = await fetch(tasks, { method: 'POST', headers, body: JSON.stringify(body) })
  const { id } = JSON.parse(await created.text())
  let task = { status: 'queued' }
  while (task.status === 'queued' || task.status === 'running')
    task = JSON.parse(await (await fetch(\`\${tasks}/\${id}\`, { headers })).text())
${checks.map((check) => `  ${check}`).join('\n')}
})
`

const jestChecks = ['expect(created.status).toBe(200)', "expect(task.status).toBe('succeeded')"]

const vitestText = `import { useEmulator } from 'backlot/vitest'
import { expect, test } from 'vitest'
${usingEmulator(jestChecks)}`

const nodeTestText = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useEmulator } from 'backlot/node-test'
${usingEmulator(['assert.equal(created.status, 200)', "assert.equal(task.status, 'succeeded')"])}`

const runLine: Readonly<Record<Framework | 'jest-esm', string>> = {
  vitest: 'npx vitest run test/backlot.test',
  jest: 'npx jest test/backlot.test',
  // Jest reads ES modules only where Node has this option; cmd.exe sets no variable before a command.
  'jest-esm': 'npx --node-options=--experimental-vm-modules jest test/backlot.test',
  'node-test': 'node --test test/backlot.test.mjs',
}

const CONFIG = {
  path: 'backlot.config.json',
  text: `${JSON.stringify({ clock: 'live', timing: 'fast', seed: 1 }, null, 2)}\n`,
}

const CI = {
  path: '.github/workflows/backlot.yml',
  text: `name: tests with backlot
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install
      # The tests find the emulator at $BACKLOT_URL. It ends with them.
      - run: npx backlot exec -- npm test
`,
}
