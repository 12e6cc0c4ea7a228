import fs from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { launch } from '../../src/cli/launch.js'
import type { Emulator } from '../../src/emulator/emulator.js'
import { readSettings } from '../../src/emulator/settings.js'
import { folderWith } from '../command/settings/sources.js'
import { paths } from '../emulator.js'

const scenario = (status: number) =>
  `{ name: mine, description: Creates fail., steps: [{ then: { answer: { status: ${status} } } }] }`

test('an error while a changed scenario file is read is reported, and the next change is read', async () => {
  const folder = await folderWith({ 'mine.yaml': scenario(500) })
  const file = join(folder, 'mine.yaml')
  const errors: string[] = []
  const read: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0)
  onTestFinished(() => stderr.mockRestore())
  let emulator: Emulator | undefined
  const { close } = await launch(
    readSettings({ port: 0, scenario: [file] }),
    {
      started: (started) => {
        emulator = started.emulator
      },
      events: { scenario: ({ says }) => void read.push(says) },
      stopped: () => {},
    },
    {},
  )
  onTestFinished(close)
  if (emulator === undefined) throw new Error('It has not started.')
  const change = async (status: number) => {
    await writeFile(join(folder, 'next'), scenario(status))
    await rename(join(folder, 'next'), file)
  }
  vi.spyOn(emulator.store, 'keys').mockRejectedValueOnce(new Error('no keys today'))
  await change(502)
  await vi.waitFor(() => expect(errors.join()).toContain('no keys today'), AWAITED)
  await change(503)
  await vi.waitFor(() => expect(read).toEqual([expect.stringContaining('begins anew')]), AWAITED)
})

const AWAITED = { timeout: 30_000 }

test('a scenario file that the system cannot watch is a warning', async () => {
  const folder = await folderWith({ 'mine.yaml': scenario(500) })
  const { watch } = fs
  fs.watch = () => {
    throw new Error('ENOSPC: System limit for number of file watchers reached')
  }
  syncBuiltinESMExports()
  const reported: string[] = []
  const stderr = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation((text) => reported.push(String(text)) > 0)
  onTestFinished(() => {
    stderr.mockRestore()
    fs.watch = watch
    syncBuiltinESMExports()
  })
  const settings = readSettings({ port: 0, scenario: [join(folder, 'mine.yaml')] })
  const { close } = await launch(settings, { started: () => {}, stopped: () => {} }, {})
  await close()
  expect(reported.join('')).toMatch(/^backlot: Changes of \S+mine\.yaml are not followed: ENOSPC: [^\n]+\n$/)
})

test('a recording has the media of the calls right before the stop', async () => {
  const folder = await folderWith({})
  const reporter = { started: () => {}, stopped: () => {} }
  const record = join(folder, 'session.jsonl')
  const { url, close } = await launch(readSettings({ port: 0 }), reporter, { record })
  const landscape = await readFile(new URL('../../fixtures/media/landscape.jpg', import.meta.url))
  const create = (index: number) => {
    const bytes = Buffer.concat([landscape, Buffer.from(`${index}`)])
    const image = { url: `data:image/jpeg;base64,${bytes.toString('base64')}` }
    const content = [
      { type: 'text', text: 'a lighthouse' },
      { type: 'image_url', role: 'first_frame', image_url: image },
    ]
    const body = JSON.stringify({ model: 'videoa-2-0-260128', content })
    return fetch(url + paths.tasks, { method: 'POST', headers: { authorization: 'Bearer recorded' }, body })
  }
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  await close()
  expect(await readdir(`${record}.media`)).toHaveLength(20)
})

test('a recording that cannot begin lets go of the state file', async () => {
  const folder = await folderWith({})
  const settings = readSettings({ port: 0, state: join(folder, 'state.jsonl') })
  const reporter = { started: () => {}, stopped: () => {} }
  const cannotRecord = { code: 'cannot-record' }
  await expect(launch(settings, reporter, { record: folder })).rejects.toMatchObject(cannotRecord)
  const { close } = await launch(settings, reporter, {})
  await close()
})

test.each([
  [
    { state: 'kept.jsonl' },
    { record: './kept.jsonl' },
    'state and --record both name the file ./kept.jsonl.',
  ],
  [{ state: 'kept.jsonl', logFile: 'kept.jsonl' }, {}, 'state and logFile both name the file kept.jsonl.'],
])('%j with %j is refused: one file cannot be two', async (settings, options, message) => {
  const reporter = { started: () => {}, stopped: () => {} }
  const error = await launch(readSettings({ port: 0, ...settings }), reporter, options).catch((e) => e)
  expect(error).toMatchObject({ code: 'bad-setting', sentence: message })
})
