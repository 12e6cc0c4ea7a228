import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHandles } from '../../src/client/handles.js'
import { connectEmulator, type EmulatorSettings, startEmulator } from '../../src/index.js'
import { handlesKeepTheirPromises } from './conformance.js'

const start = async (settings: EmulatorSettings = {}) => {
  const emulator = await startEmulator(settings)
  onTestFinished(() => emulator.stop())
  return emulator
}

describe('startEmulator', () => handlesKeepTheirPromises(start))

describe('connectEmulator', () =>
  handlesKeepTheirPromises(async (settings) => connectEmulator((await start(settings)).url)))

/** `clock.advance`, `tasks.list`, `reset` and every other that can be called. */
const namesIn = (handles: object, before = ''): string[] =>
  Object.entries(handles).flatMap(([name, value]) => {
    if (typeof value === 'function') return [before + name]
    return typeof value === 'object' ? namesIn(value, `${before}${name}.`) : []
  })

test('there is no handle that is not tried on both', () => {
  const tried = readFileSync('test/client/conformance.ts', 'utf8')
  const unused = () => Promise.reject(new Error('Nothing is called.'))
  for (const name of namesIn(createHandles('', unused))) expect(tried).toContain(`account.${name}(`)
  for (const name of ['account', 'resetAll', 'finishAll']) expect(tried).toContain(`emulator.${name}(`)
})

test('connecting takes an address with a slash, the key of an account and the token', async () => {
  const { url } = await start({ controlToken: 'open-sesame' })
  const emulator = connectEmulator(`${url}/`, { key: 'alice', token: 'open-sesame' })
  expect(emulator.key).toBe('alice')
  expect((await emulator.read()).balance).toBe(1_000_000)
  const stranger = connectEmulator(url, { token: 'wrong' })
  await expect(stranger.read()).rejects.toMatchObject({ code: 'token-needed', name: 'EmulatorError' })
})

test('a port that another emulator has is an error that names it', async () => {
  const { port } = await start()
  await expect(startEmulator({ port })).rejects.toMatchObject({
    code: 'port-taken',
    sentence: expect.stringContaining(`Port ${port} on 127.0.0.1 is taken by another Backlot (version `),
    hint: expect.stringContaining('`port: 0` in code'),
  })
})

test('arguments that are no objects are errors of the emulator', async () => {
  const { fail } = await start()
  await expect(fail('b-video-task.create', undefined as never)).rejects.toMatchObject({
    code: 'bad-scenario',
    sentence: 'fail must be told what b-video-task.create fails with, found nothing.',
  })
  await expect(startEmulator(null as never)).rejects.toMatchObject({
    code: 'bad-setting',
    sentence: 'The settings must be an object, found null.',
  })
})

test('callbacks to the inbox need no token', async () => {
  const { url } = await start({ controlToken: 'open-sesame' })
  const emulator = connectEmulator(url, { token: 'open-sesame' })
  const answer = await fetch(emulator.inbox('hook').url, { method: 'POST', body: '{"challenge":"abc"}' })
  expect(await answer.json()).toEqual({ challenge: 'abc' })
  expect((await fetch(emulator.inbox('hook').url)).status).toBe(401)
})

test('an address at which nothing answers is an error that says what to do', async () => {
  const emulator = await startEmulator()
  await emulator.stop()
  await expect(connectEmulator(emulator.url).tasks.list()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining(emulator.url),
    hint: expect.stringContaining('backlot start'),
  })
})

test.each(['', 'localhost:4010', '/path', 'ftp://host'])('%j is no address', (url) => {
  expect(() => connectEmulator(url)).toThrow(expect.objectContaining({ code: 'bad-url' }))
})

test('the error of a server that is no emulator says so', async () => {
  const { url } = await start()
  await expect(connectEmulator(`${url}/provB`).read()).rejects.toMatchObject({ code: 'not-an-emulator' })
})
