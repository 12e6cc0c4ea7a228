import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coverageSchema } from '../../src/resilience/coverage/report.js'
import { newFolder } from '../folder.js'
import { ended, endedHere } from './backlot.js'

const node = (code: string): string[] => ['--', process.execPath, '-e', code]

const create = `fetch(process.env.BACKLOT_URL + '/provB/api/v3/contents/generations/tasks', {
  method: 'POST',
  headers: { authorization: 'Bearer key' },
  body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }),
})`

const NODE_TEST = new URL('../../dist/node-test.js', import.meta.url).href

/** A test file of node:test whose two tests cover different things. */
const testFile = `
import { test } from 'node:test'
import { useEmulator } from '${NODE_TEST}'
const emulator = useEmulator(OPTIONS)
const ask = (method, path) => fetch(emulator.url + path, { method, headers: { authorization: 'Bearer ' + emulator.key } })
test('lists', async () => { await ask('GET', '/provB/api/v3/contents/generations/tasks') })
test('asks for a task that is not there', async () => {
  await ask('GET', '/provB/api/v3/contents/generations/tasks/none')
})
`

const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

describe('a run', () => {
  test('says first what the command never did, and writes the same as JSON, HTML and Markdown', async () => {
    const folder = await folderWith({})
    const files = ['json', 'html', 'markdown'].flatMap((name) => [`--${name}`, join(folder, name)])
    const { code, out } = await ended(['coverage', ...files, ...node(create)])
    expect(code).toBe(0)
    expect(out.indexOf('No test calls b-video-task.list.')).toBeGreaterThan(out.indexOf('Not covered:'))
    expect(out.indexOf('Covered:\n')).toBeGreaterThan(out.indexOf('No test calls b-video-task.list.'))
    expect(out).toMatch(/operations +20\.0 % {2}1 of 5/)
    expect(out).toMatch(/B1 +seen +Create response \(once\)/)
    const report = coverageSchema.parse(JSON.parse(await readFile(join(folder, 'json'), 'utf8')))
    expect(report.hits.operations).toEqual({ 'b-video-task.create': 1 })
    const html = await readFile(join(folder, 'html'), 'utf8')
    expect(html).toContain('No test calls b-video-task.list.')
    expect(html).not.toMatch(/src=|href=|url\(/)
    const markdown = await readFile(join(folder, 'markdown'), 'utf8')
    expect(markdown).toContain('| operations | 1 | 5 | 20.0 |')
    // Code that has backticks itself stands between two.
    expect(markdown).toMatch(/ \| `` fetch\(`[^`]+`, [^`]+ `` \|$/m)
  })

  test('fails below a threshold, and passes at it', async () => {
    const below = await ended(['coverage', '--min', 'operations=20.1', ...node(create)])
    expect(below.code).toBe(1)
    expect(below.err).toContain('operations: 20 % are covered (1 of 5), and --min wants 20.1 %.')
    expect((await ended(['coverage', '--min', 'operations=20', ...node(create)])).code).toBe(0)
    const several = ['coverage', '--min', 'operations=20.1', '--min', 'rules=0', ...node(create)]
    expect((await ended(several)).code).toBe(1)
  })

  test('exits as a command that fails, whatever is covered', async () => {
    expect((await ended(['coverage', '--min', 'rules=100', ...node('process.exit(7)')])).code).toBe(7)
  })

  test('reports what a command has called that ends as one that does not exist', async () => {
    const { code, out } = await ended(['coverage', ...node(`${create}.then(() => process.exit(127))`)])
    expect(code).toBe(127)
    expect(out).toMatch(/operations +20\.0 % {2}1 of 5/)
  })

  test('a command that calls nothing covers nothing, and meets no threshold', async () => {
    const { code, out, err } = await ended(['coverage', '--min', 'rules=0,limits=100', ...node('')])
    expect(out).toContain('The tests called nothing of the service. Do they read BACKLOT_URL?')
    expect(out).toMatch(/operations +– {2}0 of 0/)
    expect(code).toBe(1)
    expect(err).toContain('rules: nothing was called, and --min wants 0 %.')
    expect(err).toContain('limits: nothing was called, and --min wants 100 %.')
  })

  test('a kind of which a family has nothing is met by any threshold', async () => {
    const { code, out } = await ended(['coverage', '--min', 'scenarios=100', ...node(create)])
    expect(code).toBe(0)
    expect(out).toMatch(/scenarios +– {2}0 of 0/)
  })

  test('a scenario that plays has its steps among the points, also where no call or callback comes near them', async () => {
    const play = `fetch(process.env.BACKLOT_URL + '/_backlot/scenario', {
      method: 'PUT',
      headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'result-expired' }),
    })`
    const options = ['--scenario', 'callback-lost', '--min', 'scenarios=100']
    const { code, out, err } = await ended(['coverage', ...options, ...node(`${play}.then(() => ${create})`)])
    expect(out).toContain('Step 1 of the scenario callback-lost never acts.')
    expect(out).toContain('Step 1 of the scenario result-expired never acts.')
    expect(code).toBe(1)
    expect(err).toContain('scenarios: 0 % are covered (0 of 2), and --min wants 100 %.')
  })

  test('the summary of a GitHub job has the report', async () => {
    const folder = await folderWith({ summary: '' })
    const environment = { GITHUB_STEP_SUMMARY: join(folder, 'summary') }
    await ended(['coverage', ...node(create)], { environment })
    expect(await readFile(join(folder, 'summary'), 'utf8')).toContain('# Coverage')
  })
})

describe('tests with a helper', () => {
  test('each test is named with what it covers', async () => {
    const folder = await folderWith({ 'two.test.mjs': testFile.replace('OPTIONS', '') })
    const json = join(folder, 'report.json')
    const { code } = await ended(
      ['coverage', '--json', json, '--', process.execPath, '--test', 'two.test.mjs'],
      { folder },
    )
    expect(code).toBe(0)
    const { tests } = coverageSchema.parse(JSON.parse(await readFile(json, 'utf8')))
    expect(tests.map(({ test, hits }) => [test, Object.keys(hits.operations)])).toEqual([
      ['lists', ['b-video-task.list']],
      ['asks for a task that is not there', ['b-video-task.read']],
    ])
  })

  test('tests that share one key are told apart', async () => {
    const folder = await folderWith({ 'two.test.mjs': testFile.replace('OPTIONS', "{ key: 'the-key' }") })
    const json = join(folder, 'report.json')
    await ended(['coverage', '--json', json, '--', process.execPath, '--test', 'two.test.mjs'], { folder })
    const { tests } = coverageSchema.parse(JSON.parse(await readFile(json, 'utf8')))
    expect(tests.map(({ test, hits }) => [test, Object.keys(hits.operations)])).toEqual([
      ['lists', ['b-video-task.list']],
      ['asks for a task that is not there', ['b-video-task.read']],
    ])
  })

  test.each([
    ['coverage: true', '{ coverage: true }', {}, 'backlot-coverage'],
    ['a folder of its own', "{ coverage: 'mine' }", {}, 'mine'],
    ['BACKLOT_COVERAGE', '', { BACKLOT_COVERAGE: 'theirs' }, 'theirs'],
  ])('%s writes parts that can be merged', async (_, options, environment, name) => {
    const folder = await folderWith({ 'two.test.mjs': testFile.replace('OPTIONS', options) })
    // `exec` would name its own emulator, so the tests run by themselves.
    const { spawnSync } = await import('node:child_process')
    const { status } = spawnSync(process.execPath, ['--test', 'two.test.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...environment },
    })
    expect(status).toBe(0)
    expect((await readdir(join(folder, name))).filter((file) => file.startsWith('part-'))).toHaveLength(1)
    const { out } = await endedHere(['coverage', '--merge', join(folder, name)])
    expect(out).toContain('Tests known by their names: 2.')
    expect(out).toMatch(/operations +40\.0 %/)
  })
})

describe('merging', () => {
  const report = async (...args: string[]) => {
    const folder = await folderWith({})
    await ended(['coverage', '--json', join(folder, 'report.json'), ...args])
    return join(folder, 'report.json')
  }

  test('adds up what several runs cover, and prints five points of a kind, with --all all of them', async () => {
    const list = create.replace("'POST'", "'GET'").replace(/body: .*\n/, '')
    const [one, other] = [await report(...node(create)), await report(...node(list))]
    const { code, out } = await endedHere(['coverage', '--merge', one, '--merge', other])
    expect(code).toBe(0)
    expect(out).toMatch(/operations +40\.0 % {2}2 of 5/)
    const gapsIn = (text: string) => text.slice(text.indexOf('Not covered:'))
    const rulesIn = (text: string) => gapsIn(text).match(/^ {4}No call /gm)
    expect(rulesIn(out)).toHaveLength(5)
    const whole = await endedHere(['coverage', '--merge', one, '--merge', other, '--all'])
    const left = Number(/No call [\s\S]*?… and (\d+) more \(--all\)/.exec(gapsIn(out))?.[1])
    expect(rulesIn(whole.out)).toHaveLength(5 + left)
  })
})

describe('wrong usage', () => {
  test.each([
    [['coverage'], '`backlot coverage` wants a command to run, or reports to merge.'],
    [['coverage', '--', ''], '`backlot coverage` wants a command to run, or reports to merge.'],
    [['coverage', '--min', 'rules', '--', 'true'], '--min wants KIND=PERCENT, found "rules".'],
    [['coverage', '--min', 'rule=80', '--', 'true'], '--min has no kind "rule": did you mean rules?'],
    [['coverage', '--min', 'rules=80,rules=2', '--', 'true'], '--min names rules twice.'],
    [['coverage', '--min', 'rules=101', '--', 'true'], '--min rules must be at most 100 percent, found 101.'],
    [['coverage', '--merge', 'nowhere.json'], 'There is no coverage report nowhere.json.'],
    [['coverage', '--merge', 'test'], 'There is no part of a coverage report in test.'],
    [['coverage', '--merge', 'package.json/x'], 'There is no coverage report package.json/x.'],
    [['coverage', '--merge', 'a.json', '--env', 'A={url}'], '--env is for a command, and there is none.'],
    [['coverage', '--merge', 'a.json', '--seed', '2'], '--seed is for a command, and there is none.'],
    [['coverage', '--', 'no-such-command'], 'There is no command no-such-command.'],
    [
      ['coverage', '--json', 'none/x.json', '--', 'no-such-command'],
      'none/x.json cannot be written: its folder is not there.',
    ],
    [['coverage', '--html', '.', '--', 'no-such-command'], '. cannot be written: it is a folder.'],
  ])('%j is told in a sentence, with exit code 2', async (args, sentence) => {
    const { code, err } = await endedHere(args)
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })

  test.each([
    ['no JSON', '{', 'it is not JSON'],
    ['another version', '{"formatVersion":2}', 'formatVersion must be 1, found 2.'],
    ['another file', '{"name":"x"}', 'is no coverage report that this version reads: format is required: '],
  ])('a report that is %s', async (_, text, sentence) => {
    const folder = await folderWith({ 'report.json': text })
    const { code, err } = await endedHere(['coverage', '--merge', join(folder, 'report.json')])
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })

  test('a part that is broken', async () => {
    const folder = await folderWith({ 'part-1.json': '{"format":"backlot-coverage-part","formatVersion":9}' })
    const { code, err } = await endedHere(['coverage', '--merge', folder])
    expect([code, err]).toEqual([2, expect.stringContaining('is no part of a coverage report')])
  })
})
