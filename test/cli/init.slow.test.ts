import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { newFolder } from '../folder.js'
import { VITEST_RUN } from '../testing/project.js'
import { ended, endedHere } from './backlot.js'
import { projectFolder } from './recorded.js'

const run = promisify(execFile)

test.each([
  ['vitest', [...VITEST_RUN, '--root', '.', 'test/backlot.test'], '.mjs'],
  // Jest is not installed here: its test is only parsed.
  ['jest', ['--check', 'test/backlot.test.js'], '.js'],
  ['node-test', ['--test', 'test/backlot.test.mjs'], '.mjs'],
])(
  'the first test for %s passes',
  async (framework, args, ending) => {
    const folder = projectFolder()
    await writeFile(join(folder, 'package.json'), '{}')
    await writeFile(join(folder, 'vitest.config.js'), 'export default {}')
    expect(await ended(['init', framework], { folder })).toMatchObject({
      code: 0,
      out: expect.stringContaining(`written  test/backlot.test${ending}\nwritten  backlot.config.json\n`),
    })
    await run(process.execPath, args, { cwd: folder })
  },
  60_000,
)

test('the first test of a TypeScript project compiles without the types of a page', async () => {
  const folder = projectFolder()
  symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules', 'vitest'), 'junction')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'tsconfig.json'), '{}')
  await ended(['init', 'vitest'], { folder })
  const program = ts.createProgram([join(folder, 'test/backlot.test.ts')], {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'] },
    ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')] },
    ...{ strict: true, skipLibCheck: true, noEmit: true },
  })
  const found = ts.getPreEmitDiagnostics(program)
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([])
}, 60_000)

test('without an argument, the framework of package.json, a configuration that is read, and a CI job', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'package.json'), '{"devDependencies":{"jest":"30"},"type":"module"}')
  await ended(['init'], { folder })
  expect(await readFile(join(folder, 'test/backlot.test.js'), 'utf8')).toContain("from 'backlot/jest'")
  const { jobs } = parse(await readFile(join(folder, '.github/workflows/backlot.yml'), 'utf8'))
  expect(jobs.test.steps.at(-1)).toEqual({ run: 'npx backlot exec -- npm test' })
  expect((await ended(['exec', '--', process.execPath, '-e', ''], { folder })).code).toBe(0)
})

test.each([
  ['with a byte order mark', '\uFEFF{"devDependencies":{"jest":"30"}}', 'backlot.test.js'],
  ['that is null', 'null', 'backlot.test.mjs'],
])('a package.json %s is read', async (_, text, file) => {
  const folder = newFolder()
  await writeFile(join(folder, 'package.json'), text)
  const { code, out } = await ended(['init'], { folder })
  expect([code, out]).toEqual([0, expect.stringContaining(`written  test/${file}\n`)])
})

test('a first test for Jest is CommonJS, or an ES module with the option of Node that Jest needs for it', async () => {
  const folder = newFolder()
  const packageFile = join(folder, 'package.json')
  await writeFile(packageFile, '{"dependencies":{"jest":"30"}}')
  expect((await ended(['init'], { folder })).out).toContain('Run the test: npx jest ')
  // A project without a type is CommonJS, in which Jest reads no import.
  const text = await readFile(join(folder, 'test/backlot.test.js'), 'utf8')
  expect(text).toContain("const { useEmulator } = require('backlot/jest')\n")
  await writeFile(packageFile, '{"devDependencies":{"jest":"30"},"type":"module"}')
  const line = 'npx --node-options=--experimental-vm-modules jest test/backlot.test\n'
  expect((await ended(['init'], { folder })).out).toContain(`Run the test: ${line}`)
})

test('a file where a folder should be is a sentence', async () => {
  const folder = newFolder()
  await writeFile(join(folder, '.github'), '')
  const { code, err } = await ended(['init', 'ci'], { folder })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/backlot\.yml cannot be written: /) })
})

test('a CI job is written without a test, and a first test without a CI job', async () => {
  const folder = newFolder()
  expect(await ended(['init', 'ci'], { folder })).toEqual({
    code: 0,
    out: 'written  .github/workflows/backlot.yml\n',
    err: '',
  })
  expect((await ended(['init', 'vitest'], { folder })).out).toBe(
    'written  test/backlot.test.mjs\nwritten  backlot.config.json\nRun the test: npx vitest run test/backlot.test\n',
  )
  expect(JSON.parse(await readFile(join(folder, 'backlot.config.json'), 'utf8'))).toEqual({
    clock: 'live',
    timing: 'fast',
    seed: 1,
  })
})

test('a file that exists is kept', async () => {
  const folder = newFolder()
  await writeFile(join(folder, 'backlot.config.json'), '{"seed":9}')
  expect((await ended(['init', 'node-test'], { folder })).out).toContain('kept     backlot.config.json')
  expect(await readFile(join(folder, 'backlot.config.json'), 'utf8')).toBe('{"seed":9}')
})

test('another name is wrong usage', async () => {
  const { code, err } = await ended(['init', 'vitst'])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('Did you mean vitest?') })
})

test.each(['pytest', 'go'])(
  'a framework of another language is told its page, and no other: %s',
  async (name) => {
    const { code, err } = await endedHere(['init', name])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('docs/other-languages.md says how'),
    })
    expect(err).not.toContain('Did you mean')
  },
)
