import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import type { ScenarioDocument, startEmulator } from '../../src/index.js'
import { inLanguages } from './blocks.js'

const PAGE = 'docs/adding-a-scenario-step.md'
const onPage = (language: string) => inLanguages(language).filter(({ page }) => page === PAGE)

/** A piece of a file before and after a change. */
const change = (code: string) => {
  const [header = '', ...lines] = code.trimEnd().split('\n')
  const without = (mark: string) =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => line.slice(1))
      .join('\n')
  return { file: header.replace('--- ', ''), before: without('+'), after: without('-') }
}

const changes = onPage('diff').map(({ code }) => change(code))

let folder: string
let start: typeof startEmulator
beforeAll(async () => {
  mkdirSync('.backlot', { recursive: true })
  folder = mkdtempSync(resolve('.backlot', 'docs-step-'))
  cpSync('src', join(folder, 'src'), { recursive: true })
  for (const name of ['assets', 'fixtures', 'scenarios', 'package.json'])
    symlinkSync(resolve(name), join(folder, name))
  for (const { file, before, after } of changes) {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(
      join(folder, file),
      text.replace(before, () => after),
    )
  }
  start = (await import(join(folder, 'src/start-emulator.ts'))).startEmulator
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(changes)('$file has what is changed in it, once', ({ file, before, after }) => {
  expect(readFileSync(file, 'utf8').split(before)).toHaveLength(2)
  expect(readFileSync(join(folder, file), 'utf8')).toContain(after)
})

test('the scenario does what the page says', async () => {
  const [scenario] = onPage('yaml').map(({ code }) => parse(code) as ScenarioDocument)
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
