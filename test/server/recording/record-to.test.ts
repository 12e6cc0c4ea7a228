import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { accountIdOf } from '../../../src/core/account/tag.js'
import { readSettings } from '../../../src/core/read-settings.js'
import { parseRecording } from '../../../src/core/recording/parse.js'
import { createEmulator } from '../../../src/emulator/index.js'
import { createHandles } from '../../../src/handles/create-handles.js'
import { localTransport } from '../../../src/handles/local.js'
import { listen } from '../../../src/server/listen.js'
import { recordTo } from '../../../src/server/recording/record-to.js'
import { clientOf, KEY, paths, replayed, text, videoTask } from './session.js'

const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-recording-'))
  const file = join(folder, 'session.jsonl')
  const emulator = createEmulator(readSettings({ port: 0, clock: 'paused' }))
  const { url, close } = await listen(emulator)
  const end = recordTo(emulator, file)
  onTestFinished(async () => {
    await close()
    await rm(folder, { recursive: true, force: true })
  })
  const read = () => readFile(file, 'utf8')
  const kinds = async () => parseRecording(await read()).lines.map(({ line }) => line.kind)
  return {
    url,
    end,
    read,
    kinds,
    as: (key: string) => createHandles(key, localTransport(emulator, key), url),
  }
}

test('every line is there as soon as the call is answered', async () => {
  const { url, kinds } = await open()
  const client = clientOf(url)
  await client.post(paths.tasks, videoTask())
  expect(await kinds()).toEqual(['account', 'call'])
  await client.get('/nothing')
  expect(await kinds()).toEqual(['account', 'call', 'call'])
})

test('what is done to accounts, tasks that fail and callbacks stand between the calls', async () => {
  const { url, as, kinds, read } = await open()
  const { id } = (await clientOf(url).post(paths.tasks, videoTask())).body
  await as(KEY).tasks.fail(id, 'InternalServiceError')
  await clientOf(url).post(paths.second, {
    ...{ model: 'gamma-H3', content: [text()], duration: 5 },
    callback_url: as(KEY).inbox('hook').url,
  })
  await as(KEY).clock.advance({ to: 'idle' })
  await as(KEY).reset()
  expect(await kinds()).toEqual([
    'account',
    'call',
    'task',
    'control',
    'call',
    ...Array(4).fill('callback'),
    'control',
    'reset',
  ])
  expect((await replayed(await read())).differing).toEqual([])
})

test('accounts that were reset are compared up to the reset and again after it', async () => {
  const { url, as, read } = await open()
  for (let round = 0; round < 2; round += 1) {
    await clientOf(url).post(paths.tasks, videoTask())
    await clientOf(url, 'other-key-1').post(paths.tasks, videoTask())
    await as(KEY).reset()
  }
  await clientOf(url).get(paths.tasks)
  const { calls, differing } = await replayed(await read())
  expect({ calls, differing }).toEqual({ calls: 5, differing: [] })
  expect(
    (await read()).match(new RegExp(`"kind":"account","account":"${accountIdOf(KEY)}"`, 'g')),
  ).toHaveLength(3)
})

test('a file that was cut off in the middle of a line is read up to there', async () => {
  const { url, read } = await open()
  await clientOf(url).post(paths.tasks, videoTask())
  await clientOf(url).get('/nothing')
  const whole = await read()
  const recording = parseRecording(whole.slice(0, -40))
  expect(recording.isCut).toBe(true)
  expect((await replayed(recording)).calls).toBe(1)
})

test('nothing is written once it has ended', async () => {
  const { url, end, read } = await open()
  end()
  await clientOf(url).get('/nothing')
  expect((await read()).trim().split('\n')).toHaveLength(1)
})

test('a file that cannot be written is an error that says so', () => {
  const emulator = createEmulator(readSettings({ port: 0 }))
  onTestFinished(() => emulator.stop())
  expect(() => recordTo(emulator, '/no/such/folder/x.jsonl')).toThrowError(
    expect.objectContaining({
      code: 'cannot-record',
      message: expect.stringContaining('/no/such/folder/x.jsonl'),
    }),
  )
})
