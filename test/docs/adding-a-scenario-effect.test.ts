import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import type { ScenarioDocument, startEmulator } from '../../src/index.js'
import { inLanguages } from './blocks.js'

const PAGE = 'docs/adding-a-scenario-effect.md'
const onPage = (language: string) =>
  inLanguages(language)
    .filter(({ page }) => page === PAGE)
    .map(({ code }) => code)

const [file = ''] = onPage('ts')
const [diff = ''] = onPage('diff')
const [scenario] = onPage('yaml').map((code) => parse(code) as ScenarioDocument)

const newFile = file.split('\n')[0]?.replace('// ', '') ?? ''
const [header = '', ...lines] = diff.trimEnd().split('\n')
const changedFile = header.replace('--- ', '')
const without = (mark: string) =>
  lines
    .filter((line) => !line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n')

let folder: string
let start: typeof startEmulator
beforeAll(async () => {
  mkdirSync('.backlot', { recursive: true })
  folder = mkdtempSync(resolve('.backlot', 'docs-effect-'))
  cpSync('src', join(folder, 'src'), { recursive: true })
  for (const name of ['assets', 'fixtures', 'scenarios', 'package.json'])
    cpSync(name, join(folder, name), { recursive: true })
  writeFileSync(join(folder, newFile), file)
  const text = readFileSync(changedFile, 'utf8')
  writeFileSync(
    join(folder, changedFile),
    text.replace(without('+'), () => without('-')),
  )
  start = (await import(join(folder, 'src/index.ts'))).startEmulator
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('an effect is one new file and one new line', () => {
  expect([onPage('ts'), onPage('diff')].map(({ length }) => length)).toEqual([1, 1])
  expect(() => readFileSync(newFile)).toThrow('ENOENT')
  expect(lines.filter((line) => /^[-+]/.test(line))).toHaveLength(1)
  expect(readFileSync(changedFile, 'utf8').split(without('+'))).toHaveLength(2)
})

test('the scenario does what the page says', async () => {
  if (scenario === undefined) throw new Error(`${PAGE} has no scenario.`)
  const emulator = await start({ scenario })
  onTestFinished(() => emulator.stop())
  const bytesOf = async (): Promise<Buffer> => {
    const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
    const path = '/provB/api/v3/contents/generations/tasks'
    const headers = { authorization: 'Bearer my-key' }
    const answer = await fetch(emulator.url + path, { method: 'POST', headers, body: JSON.stringify(order) })
    return Buffer.from(await answer.arrayBuffer())
  }
  expect((await bytesOf()).subarray(0, 4).toString('hex')).toBe('efbbbf7b')
  expect((await bytesOf()).subarray(0, 1).toString()).toBe('{')
  expect(await emulator.account('my-key').scenario.steps()).toMatchObject([{ seen: 2, acted: 1 }])
})

test.each([
  [{ byteOrderMrk: true }, 'there is no key "byteOrderMrk" here: did you mean byteOrderMark?'],
  [{ byteOrderMark: 1 }, 'byteOrderMark must be true, found 1'],
  [{ byteOrderMark: true, cutAt: 5 }, 'byteOrderMark and cutAt cannot be together: the mark is no part'],
])('a file with %j is refused', async (answer, message) => {
  const document = { ...scenario, steps: [{ then: { answer } }] } as ScenarioDocument
  await expect(start({ scenario: document })).rejects.toThrow(message)
})
