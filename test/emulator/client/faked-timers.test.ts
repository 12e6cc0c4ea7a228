import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import { startEmulator, type VideoTaskCreated, type VideoTaskList } from '../../../src/index.js'
import { newFolder } from '../../folder.js'
import { openFolder } from '../accounts/persistence/start.js'

/** More calls than start in one turn of the event loop. */
const program = `
const { mock } = require('node:test')
const { get } = require('node:http')
const { startEmulator } = require('./dist/index.cjs')
const statusOf = (url) => new Promise((resolve, reject) =>
  get(url, (answer) => answer.resume().on('end', () => resolve(answer.statusCode))).on('error', reject))
void (async () => {
  const emulator = await startEmulator()
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })
  for (let call = 0; call < 40; call += 1) await statusOf(emulator.url + '/none')
  const oneMore = emulator.requests.waitFor({ path: '/none' }, { count: 41 })
  await statusOf(emulator.url + '/none')
  await oneMore
  mock.timers.reset()
  await emulator.stop()
  console.log('answered')
})()
`

test('an emulator of the CommonJS build answers and ends waits though a test has replaced all timers of its process', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { timeout: 15_000 })
  expect(stdout).toContain('answered')
})

afterEach(() => void vi.useRealTimers())

test('a video is rendered though a test has replaced all timers of its process', async () => {
  await using emulator = await startEmulator({ timing: 'instant', mediaFolder: newFolder() })
  vi.useFakeTimers()
  const tasks = `${emulator.url}/provB/api/v3/contents/generations/tasks`
  const headers = { Authorization: 'Bearer my-key' }
  const body = JSON.stringify({ model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a pier' }] })
  await fetch(tasks, { method: 'POST', headers, body })
  const { items } = (await (await fetch(tasks, { headers })).json()) as VideoTaskList
  const { byteLength } = await (await fetch(items[0]?.content?.video_url ?? '')).arrayBuffer()
  expect(byteLength).toBeGreaterThan(10_000)
})

test('a delayed answer comes and a live clock runs though a test has replaced all timers of its process', async () => {
  await using emulator = await startEmulator({ clock: 'live', speed: 100_000 })
  const account = emulator.account('my-key')
  const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a pier' }] }
  await account.scenario.play({
    ...{ name: 'late', description: 'The answer is late.' },
    steps: [{ when: { operation: 'b-video-task.create' }, then: { transport: { delay: '20ms' } } }],
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate'] })
  const tasks = `${emulator.url}/provB/api/v3/contents/generations/tasks`
  const headers = { Authorization: 'Bearer my-key' }
  const created = await fetch(tasks, { method: 'POST', headers, body: JSON.stringify(order) })
  const { id } = (await created.json()) as VideoTaskCreated
  expect(await account.tasks.waitFor(id, 'succeeded')).toMatchObject({ id })
})

test('an emulator with a state file answers though a test has replaced all timers of its process', async () => {
  await using emulator = await startEmulator({ state: join(await openFolder(), 'state.jsonl') })
  vi.useFakeTimers()
  const tasks = `${emulator.url}/provB/api/v3/contents/generations/tasks`
  const { status } = await fetch(tasks, { headers: { Authorization: 'Bearer my-key' } })
  expect(status).toBe(200)
})
