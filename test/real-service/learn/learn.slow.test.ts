import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { startEmulator } from '../../../src/index.js'
import { startRecordingProxy } from '../../../src/real-service/recording-proxy.js'
import { endedHere } from '../../cli/backlot.js'

const KEY = 'real-api-key-1234'
const PROMPT = 'a secret recipe of our kitchen'
const folder = mkdtempSync(join(tmpdir(), 'learn-'))

/** A session of a client with a service, as `backlot record` keeps it. */
const recorded = async (name: string, profile: object, session: (call: Call) => Promise<void>) => {
  const service = await startEmulator({ clock: 'on-poll', profile: profile as never })
  onTestFinished(() => service.stop())
  const proxy = await startRecordingProxy(service.url, () => {})
  await session(async (method, path, json) => {
    const response = await fetch(proxy.url + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    return response.json()
  })
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(await proxy.stop()))
  return file
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Call = (method: string, path: string, json?: object) => Promise<any>

const B = '/provB/api/v3/contents/generations/tasks'
const video = (change: object = {}) => ({
  model: 'videoa-2-0-260128',
  content: [{ type: 'text', text: PROMPT }],
  duration: 5,
  ...change,
})

const follow = async (call: Call, id: string) => {
  for (let count = 0; count < 3; count += 1) await call('GET', `${B}/${id}`)
}

test('what a session met is learned, with how often and where it was first seen', async () => {
  const profile = {
    models: { 'videoa-3-0': { like: 'videoa-2-0-260128', seconds: [4, 20] } },
    errors: { 'b-video-task': { ResourceNotFound: { status: 410, code: 'Gone' } } },
    answers: {
      'b-video-task.read': { rename: { seed: 'seed_used' }, set: { vendor: 'acme' } },
      'b-video-task.read@succeeded': { set: { status: 'done' } },
      'b-video-task.*': { headers: { 'X-Region': 'eu' } },
    },
    rateLimits: { requestsPerMinute: 60, headers: { 'X-RateLimit-Limit': 'limit' } },
    routes: [{ id: 'models', method: 'GET', path: '/v1/models', answer: { body: { data: [] } } }],
  }
  const file = await recorded('session.har', profile, async (call) => {
    for (const change of [
      {},
      { model: 'videoa-3-0' },
      { model: 'videoa-3-0', duration: 18 },
      { model: 'videoa-3-0', duration: 20 },
    ]) {
      const { id } = await call('POST', B, video(change))
      await follow(call, id)
    }
    await call('GET', `${B}/cgt-20200101000000-aaaaa`)
    await call('GET', '/v1/models')
  })
  const { code, out, err } = await endedHere(['learn', file])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const learned = parse(out)
  expect(learned).toMatchObject({
    models: { 'videoa-3-0': { like: 'videoa-2-0-260128', seconds: [4, 20] } },
    errors: { 'b-video-task': { ResourceNotFound: { status: 410, code: 'Gone' } } },
    answers: {
      'b-video-task.read': { rename: { seed: 'seed_used' }, set: { vendor: 'acme' } },
      'b-video-task.read@succeeded': { set: { status: 'done' } },
    },
    rateLimits: { requestsPerMinute: 60, headers: { 'x-ratelimit-limit': 'limit' } },
    timing: { 'b-video-task': { queued: expect.anything(), running: expect.anything() } },
    routes: [{ method: 'GET', path: '/v1/models', answer: { status: 200, body: { data: [] } } }],
  })
  expect(out).toMatch(/vendor: acme # \d+ answers, first: call 2, b-video-task\.read/)

  // The profile is one, and an emulator with it answers so.
  const written = join(folder, 'learned.yaml')
  writeFileSync(written, out)
  expect((await endedHere(['check', written])).code).toBe(0)
  const again = await endedHere(['learn', file, '--profile', written])
  const { writtenBy: _, timing: __, ...more } = parse(again.out) ?? {}
  expect(more).toEqual({})

  for (const secret of [KEY, PROMPT, 'cgt-', '127.0.0.1']) expect(out).not.toContain(secret)
}, 120_000)

test('what contradicts itself is listed and left aside', async () => {
  const service = { answers: { 'b-video-task.read': { set: { vendor: 'acme' } } } }
  const first = await recorded('one.har', service, async (call) => {
    const { id } = await call('POST', B, video())
    await follow(call, id)
  })
  const other = { answers: { 'b-video-task.read': { set: { vendor: 'other' } } } }
  const second = await recorded('two.har', other, async (call) => {
    const { id } = await call('POST', B, video({ duration: 6 }))
    await follow(call, id)
  })
  const { out, err } = await endedHere(['learn', first, second])
  expect(out).not.toContain('vendor')
  expect(err).toMatch(/contradict|Left aside/)
}, 120_000)

test('recordings are read too, and traffic that is as the emulator answers teaches nothing', async () => {
  const file = join(folder, 'session.jsonl')
  const service = await startEmulator({ clock: 'on-poll' })
  onTestFinished(() => service.stop())
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  await fetch(service.url + B, { method: 'POST', headers, body: JSON.stringify(video()) })
  await fetch(`${service.url}${B}/none`, { headers })
  await service.account(KEY).requests.save(file)
  const { code, err } = await endedHere(['learn', file])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('nothing that a profile would say') })
}, 120_000)

test.each([
  ['no recording', 'package.json', /cannot be read as a recording/],
  ['a file that is not there', 'nowhere.har', /nowhere.har/],
])('%s is wrong usage', async (_, file, message) => {
  const { code, err } = await endedHere(['learn', file])
  expect(code).toBe(2)
  expect(err).toMatch(message)
})
