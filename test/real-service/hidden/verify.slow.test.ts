import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { startEmulator } from '../../../src/index.js'
import { Receiver } from '../../../src/real-service/verify/receiver.js'
import { endedHere } from '../../cli/backlot.js'
import { leaves } from '../leaves.js'

const KEY = 'real-api-key-1234'
const PROFILE = 'test/real-service/hidden/service.yaml'

/** A service that differs in many ways, which nothing tells the command. */
const hiddenService = async () => {
  const emulator = await startEmulator({ clock: 'on-poll', seed: 9, profile: PROFILE })
  onTestFinished(() => emulator.stop())
  return emulator
}

const freePort = async () => {
  const receiver = new Receiver()
  await receiver.listen(0)
  const { port } = new URL(receiver.url)
  await receiver.stop()
  return port
}

const verify = async (target: string, ...args: string[]) => {
  vi.stubEnv('SERVICE_KEY', KEY)
  const callback = `http://127.0.0.1:${await freePort()}/hook`
  const folder = mkdtempSync(join(tmpdir(), 'verify-'))
  const tiers = ['--tier', 'creates', '--tier', 'callback', '--callback-url', callback]
  const common = [
    '--target',
    target,
    '--key-env',
    'SERVICE_KEY',
    '--creates-file',
    join(folder, 'creates.jsonl'),
    '--verified',
    join(folder, 'seen.json'),
  ]
  return endedHere(['verify', ...common, ...tiers, ...args])
}

/** Planted differences that no call of a verification shows, with the reason (docs/verify.md). */
const hidden: Readonly<Record<string, string>> = {
  '/timing/b-video-task/queued': 'one task says nothing of how long tasks take',
  '/timing/b-video-task/running': 'one task says nothing of how long tasks take',
  '/callbacks/b-video-task/retries': 'a receiver that takes every message sees no second attempt',
  '/routes[0]/id': 'no specification names the path',
  '/routes[0]/method': 'no specification names the path',
  '/routes[0]/path': 'no specification names the path',
  '/routes[0]/answer/body/ok': 'no specification names the path',
}

/** Where the profile that is written says the same in other words. */
const otherWords: Readonly<Record<string, string>> = {
  '/answers/b-video-task.read@succeeded/move/content.video_url':
    '/answers/b-video-task.read/move/content.video_url',
  '/answers/d-assets.resolve@succeeded/remove': '/answers/d-assets.resolve/remove',
  '/answers/d-assets.resolve@succeeded/set/data.status': '/answers/d-assets.resolve/set/data.status',
  '/answers/*@refusal/headers/X-Failed': '/answers/*@refusal/headers/x-failed',
}

test('the planted differences are found and named, and the profile that is written leaves none', async () => {
  const { url } = await hiddenService()
  const file = join(mkdtempSync(join(tmpdir(), 'profile-')), 'my-service.yaml')
  const first = await verify(url, '--most-creates', '40', '--write-profile', file)
  expect(first.code).toBe(1)
  expect(first.out).not.toContain('No profile can say')
  const said = first.out.slice(first.out.indexOf('A profile can say:')).split('\n')
  expect(said.filter((line, index) => said.indexOf(line) !== index && line !== '')).toEqual([])

  const planted = leaves(parse(readFileSync(PROFILE, 'utf8')))
  expect(planted.length).toBeGreaterThanOrEqual(60)
  const written = new Set(leaves(parse(readFileSync(file, 'utf8'))).map((path) => path.toLowerCase()))
  const missing = planted.filter((path) => !written.has((otherWords[path] ?? path).toLowerCase()))
  expect(missing.sort()).toEqual(Object.keys(hidden).sort())

  // Of a wider bound the command knows what was taken, and not where the bound is.
  expect(parse(readFileSync(file, 'utf8')).rules).toMatchObject({
    'e-video-reference.prompt-length': { characters: 801 },
    'e-video-reference.schema.seed': { min: -1 },
    'a-image.schema.parameters.n': { max: 7 },
  })

  // A signature does not show its secret, and nothing of a client is written.
  const text = readFileSync(file, 'utf8')
  for (const secret of [KEY, 'A lighthouse in fog', url, 'cgt-', 'hush']) expect(text).not.toContain(secret)

  const second = await verify(url, '--most-creates', '40', '--profile', file)
  expect(second.out.split('\n').filter((line) => /^(differs|not looked)/.test(line))).toEqual([])
  expect(second.code).toBe(0)
}, 600_000)

test('objects and lists under other names and in other places are named, with what differs within them', async () => {
  const answers = {
    'a-image.create': { rename: { output: 'result' }, move: { usage: 'meta.usage' } },
    'b-video-task.list': {
      rename: { items: 'tasks', 'items[].id': 'task_id', 'items[].content': 'result' },
      set: { 'tasks[].vendor': 'acme' },
    },
    'b-video-task.read': {
      rename: { usage: 'used', 'usage.total_tokens': 'sum' },
      move: { content: 'data.out' },
      set: { 'used.kind': 'token' },
    },
    'c-video.*@refusal': { move: { error: 'problem.error' } },
    'f-video-v2.read': { move: { task: 'data.job' } },
  }
  const errors = {
    'a-image': { InvalidParameter: { code: 'BadParameter', message: 'Something is wrong' } },
    'f-video-v2': { bad_request_error: { message: 'something is wrong' } },
  }
  const service = await startEmulator({ clock: 'on-poll', seed: 9, profile: [{ answers, errors }] })
  onTestFinished(() => service.stop())
  vi.stubEnv('SERVICE_KEY', KEY)
  const folder = mkdtempSync(join(tmpdir(), 'verify-'))
  const ask = (...args: string[]) => {
    const files = ['--creates-file', join(folder, 'creates.jsonl'), '--verified', 'none']
    const target = ['--target', service.url, '--key-env', 'SERVICE_KEY', '--tier', 'creates']
    return endedHere(['verify', ...target, ...files, ...args])
  }
  const file = join(folder, 'my-service.yaml')
  const { out } = await ask('--write-profile', file)
  expect(out).not.toContain('No profile can say')
  const { writtenBy: _, ...written } = parse(readFileSync(file, 'utf8'))
  expect(written).toEqual({ answers, errors })
  expect((await ask('--profile', file)).code).toBe(0)
}, 300_000)

test('a sentence that repeats what was sent is not written into a profile', async () => {
  const models = { 'videoa-2-5-270101': { like: 'videoa-2-0-260128' } }
  const errors = { 'b-video-task': { InvalidParameter: { status: 422 } } }
  const { url, stop } = await startEmulator({ clock: 'on-poll', profile: [{ models, errors }] })
  onTestFinished(() => stop())
  const folder = mkdtempSync(join(tmpdir(), 'profile-'))
  const file = join(folder, 'my-service.yaml')
  vi.stubEnv('SERVICE_KEY', KEY)
  const options = ['--key-env', 'SERVICE_KEY', '--verified', 'none', '--write-profile', file]
  const { out } = await endedHere(['verify', '--target', url, ...options])
  expect(out).toMatch(/No profile can say:\n[\s\S]*a video of a model that there is not: message/)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('status: 422')
  expect(text).not.toContain('no-such-model')
}, 120_000)
