import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtIn } from '../../src/emulator/families/index.js'
import { ended } from './backlot.js'

const { catalogue } = builtIn

const good = `name: mine
says: The first create is refused.
steps:
  - when: { operation: b-video-task.create, nth: 1 }
    then: { answer: { error: ServerOverloaded } }
`

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-check-'))
  await writeFile(join(folder, 'good.yaml'), good)
  await writeFile(
    join(folder, 'wrong.yaml'),
    good.replace('task.create', 'task.crate').replace('says', 'sais'),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const run = (...args: string[]) => ended(args, { folder })

test('check says that nothing is wrong', async () =>
  expect(await run('check', 'good.yaml')).toEqual({ code: 0, out: 'ok  good.yaml: mine, 1 step\n', err: '' }))

const others = catalogue.operations.filter((name) => name !== 'b-video-task.create').join(', ')

test('check says everything that is wrong, with its place, and exits with 1', async () =>
  expect(await run('check', 'good.yaml', 'wrong.yaml')).toEqual({
    code: 1,
    out: [
      'ok  good.yaml: mine, 1 step',
      'wrong.yaml:2:1: there is no key "sais" here: did you mean says? Also possible: $schema, name, description, advice, about, survivable, steps',
      `wrong.yaml:4:24: there is no operation "b-video-task.crate": did you mean b-video-task.create? Also possible: ${others}`,
      '',
    ].join('\n'),
    err: '',
  }))

test.each([['start'], ['exec', '--', 'true']])(
  '%s says everything that is wrong with its scenario, a line each',
  async (command, ...rest) =>
    expect(await run(command, '--scenario', './wrong.yaml', ...rest)).toEqual({
      code: 2,
      out: '',
      err: [
        'backlot: The scenario cannot be played.',
        './wrong.yaml:2:1: there is no key "sais" here: did you mean says? Also possible: $schema, name, description, advice, about, survivable, steps',
        `./wrong.yaml:4:24: there is no operation "b-video-task.crate": did you mean b-video-task.create? Also possible: ${others}`,
        'docs/scenarios.md describes every selector and every effect; `backlot check FILE` checks a file.',
        '',
      ].join('\n'),
    }),
)

test('check exits with 2 when a file is not there (gap Z28), and checks the others', async () =>
  expect(await run('check', 'nowhere.yaml', '.', 'good.yaml')).toEqual({
    code: 2,
    out: 'ok  good.yaml: mine, 1 step\n',
    err: 'backlot: There is no file nowhere.yaml.\nbacklot: . is a folder; a file is needed.\n',
  }))

test('check wants a file', async () => expect((await run('check')).code).toBe(2))

test('scenarios lists the ready-made ones', async () => {
  const { code, out } = await run('scenarios')
  expect(code).toBe(0)
  expect(out).toMatch(/^callback-lost +The callback that says that a task has succeeded is never sent\.$/m)
  expect(out.trim().split('\n').length).toBeGreaterThanOrEqual(25)
})

test('scenarios prints one as a file, with a schema that is there', async () => {
  const text = await readFile('scenarios/callback-lost.yaml', 'utf8')
  const schema = resolve('scenarios/scenario.schema.json').replaceAll('\\', '/')
  const printed = { code: 0, err: '', out: text.replace('./scenario.schema.json', schema) }
  expect(await run('scenarios', 'callback-lost')).toEqual(printed)
  await writeFile(join(folder, 'printed.yaml'), printed.out)
  expect(await run('check', 'printed.yaml')).toMatchObject({ code: 0 })
  expect(JSON.parse(await readFile(schema, 'utf8'))).toHaveProperty('properties.steps')
})

test('the schema has a relative path where the package is installed below the working directory', async () => {
  const { out } = await ended(['scenarios', 'callback-lost'], { folder: resolve('.') })
  expect(out).toMatch(/^# yaml-language-server: \$schema=scenarios\/scenario\.schema\.json\n/)
})

test.each([
  [['scenarios', 'callback-losst'], 'There is no scenario "callback-losst".'],
  [['start', '--port', '0', '--scenario', 'callback-losst'], 'There is no scenario "callback-losst".'],
  [['start', '--port', '0', '--scenario', 'nowhere.yaml'], 'There is no file nowhere.yaml.'],
  [
    ['start', '--port', '0', '--scenario', 'wrong.yaml'],
    'wrong.yaml:4:24: there is no operation "b-video-task.crate"',
  ],
])('%j is wrong usage', async (args, message) => {
  const { code, err } = await run(...args)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

test('exec plays a scenario for the command, in the order in which several are given', async () => {
  const call = `fetch(process.env.BACKLOT_URL + '/provB/api/v3/contents/generations/tasks', {
    method: 'POST',
    headers: { authorization: 'Bearer key' },
    body: JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }),
  }).then(({ status }) => console.log(status))`
  const command = ['--', process.execPath, '-e', call]
  const { out } = await run('exec', '--scenario', 'good.yaml', '--scenario', 'html-error-page', ...command)
  expect(out).toBe('429\n')
})

const withAnswer = (answer: string) =>
  good.replace('answer: { error: ServerOverloaded }', `answer: ${answer}`)

test.each([
  ['a name', '{ headers: { "X Bad": "1" } }', 'X Bad'],
  ['a value', '{ headers: { X-Bad: "a\\r\\nX-Evil: 1" } }', 'X-Bad'],
  ['a type', '{ status: 200, contentType: "text/plain\\nX-Evil: 1" }', 'contentType'],
])('check refuses %s of a header that cannot be sent', async (_, answer, named) => {
  await writeFile(join(folder, 'headers.yaml'), withAnswer(answer))
  const { code, out } = await run('check', 'headers.yaml')
  expect([code, out]).toEqual([1, expect.stringContaining(named)])
})
