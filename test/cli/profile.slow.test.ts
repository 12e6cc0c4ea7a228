import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../folder.js'
import { backlot, ended } from './backlot.js'

const profile = (text: string) =>
  `routes:\n  - { id: hi, method: GET, path: /hi, needsKey: false, answer: { text: ${text} } }\n`

const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const isEvent = (name: string) => (line: string) => line.startsWith(`{"event":"${name}"`)

test('a profile is read again when its file changes; a broken one changes nothing and says why', async () => {
  const folder = await folderWith({ 'mine.yaml': profile('one') })
  const running = backlot(['start', '--port', '0', '--json', '--profile', './mine.yaml'], { folder })
  const { url } = JSON.parse(await running.line())
  const hi = async () => (await fetch(`${url}/hi`)).text()
  expect(await hi()).toBe('one')
  await writeFile(join(folder, 'mine.yaml'), profile('two'))
  expect(JSON.parse(await running.line(isEvent('profile')))).toEqual({
    event: 'profile',
    file: './mine.yaml',
    isInForce: true,
    says: './mine.yaml has changed: the profile is in force as it is now.',
  })
  expect(await hi()).toBe('two')
  await writeFile(join(folder, 'mine.yaml'), profile('three').replace('method', 'methud'))
  expect(JSON.parse(await running.line(isEvent('profile')))).toMatchObject({
    isInForce: false,
    says: expect.stringMatching(/mine\.yaml:2:\d+: there is no key "methud" here: did you mean method\?/),
  })
  expect(await hi()).toBe('two')
})

test('a wrong profile ends the command with exit code 2, before anything listens', async () => {
  const folder = await folderWith({ 'wrong.yaml': 'models:\n  x: { like: gamma-H4 }\n' })
  for (const command of [['start'], ['exec', '--', process.execPath, '-e', 'console.log("runs")']]) {
    const [name = '', ...rest] = command
    const { code, out, err } = await ended([name, '--profile', 'wrong.yaml', '--port', '0', ...rest], {
      folder,
    })
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('wrong.yaml:2:14: there is no model "gamma-H4": did you mean gamma-H3')
  }
  expect((await ended(['start', '--profile', 'nowhere.yaml'], { folder })).code).toBe(2)
})

test('the configuration and the environment name profiles too, and a flag replaces them', async () => {
  const folder = await folderWith({
    'backlot.config.yaml': 'profile: one.yaml\n',
    'one.yaml': profile('one'),
    'two.yaml': profile('two'),
  })
  const script = "fetch(process.env.BACKLOT_URL + '/hi').then((answer) => answer.text()).then(console.log)"
  const textWith = async (flags: string[], environment = {}) =>
    (
      await ended(['exec', '--quiet', ...flags, '--', process.execPath, '-e', script], {
        folder,
        environment,
      })
    ).out
  expect(await textWith([])).toBe('one\n')
  expect(await textWith([], { BACKLOT_PROFILE: 'two.yaml' })).toBe('two\n')
  expect(await textWith(['--profile', 'one.yaml', '--profile', 'two.yaml'])).toBe('two\n')
})

test('check tells a profile from a scenario, and says what is wrong with both', async () => {
  const folder = await folderWith({
    'good.yaml': profile('one'),
    'good.ts': "export default { paths: { provB: 'ark' } }",
    'wrong.yaml': 'paths: { provX: ark }\n',
  })
  const { out, ...rest } = await ended(['check', 'good.yaml', 'good.ts', 'wrong.yaml'], { folder })
  expect(rest).toEqual({ code: 1, err: '' })
  expect(out.split('\n')).toEqual([
    'ok  good.yaml: a profile of routes',
    'ok  good.ts: a profile of paths',
    expect.stringMatching(/^wrong\.yaml:1:10: no path of the service begins with provX: did you mean provA/),
    '',
  ])
})

test('a recording made with a profile runs again', async () => {
  const folder = await folderWith({
    'mine.yaml': `${profile('one')}models:\n  videoa-2-5-270101: { like: videoa-2-0-260128, seconds: [4, 20] }\nanswers:\n  b-video-task.create: { set: { vendor: acme } }\n`,
  })
  const body = { model: 'videoa-2-5-270101', duration: 20, content: [{ type: 'text', text: 'a lighthouse' }] }
  const script = `const call = (path, init) => fetch(process.env.BACKLOT_URL + path, { headers: { Authorization: 'Bearer k' }, ...init })
const made = await (await call('/provB/api/v3/contents/generations/tasks', { method: 'POST', body: ${JSON.stringify(JSON.stringify(body))} })).json()
const read = await (await call('/provB/api/v3/contents/generations/tasks/' + made.id)).json()
await call('/hi')
console.log(made.vendor, read.duration)`
  await writeFile(join(folder, 'calls.mjs'), script)
  const made = await ended(
    [
      'exec',
      '--quiet',
      '--profile',
      'mine.yaml',
      '--record',
      'session.jsonl',
      '--',
      process.execPath,
      'calls.mjs',
    ],
    { folder },
  )
  expect(made.out).toBe('acme 20\n')
  const replayed = await ended(['replay', 'session.jsonl'], { folder })
  expect(replayed).toMatchObject({ code: 0 })
})
