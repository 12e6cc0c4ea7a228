import { expect, test } from 'vitest'
import { invokeAction } from '../../../src/emulator/control/invoke.js'
import { KEY, startOnPort } from '../../emulator.js'
import { startReceiver } from '../callbacks/receiver.js'

test('a wait whose client left before it began gives its place back at once', async () => {
  const { emulator } = await startOnPort()
  const left = AbortSignal.abort()
  const waiting = invokeAction(emulator, 'wait', 'gone', { for: 'request', timeout: '1h' }, left)
  await expect(waiting).rejects.toMatchObject({ code: 'not-yet' })
  expect(emulator.waiting.held).toBe(0)
})

test('a box without a name is no box to wait for', async () => {
  const { emulator } = await startOnPort()
  const waiting = invokeAction(emulator, 'wait', KEY, { for: 'inbox', name: '', timeout: '0ms' })
  await expect(waiting).rejects.toMatchObject({ code: 'bad-input', message: expect.stringContaining('name') })
})

test('a box may have a name of one character', async () => {
  const { emulator } = await startOnPort()
  const waiting = invokeAction(emulator, 'wait', KEY, { for: 'inbox', name: 'x', timeout: '0ms' })
  await expect(waiting).rejects.toMatchObject({ code: 'not-yet' })
})

test('while a callback is on its way, something is left to wait for', async () => {
  const { createB, emulator } = await startOnPort({ timing: 'instant' })
  const answers: (() => unknown)[] = []
  const receiver = await startReceiver((_, response) => answers.push(() => response.end()))
  const idle = () => invokeAction(emulator, 'wait', KEY, { for: 'idle', timeout: '0ms' })
  await createB({ callback_url: receiver.url })
  for (const count of [1, 2, 3]) {
    await receiver.until(count)
    await expect(idle()).rejects.toMatchObject({
      code: 'not-yet',
      message: expect.stringContaining('Callbacks of one task are on their way'),
    })
    answers.shift()?.()
  }
  await emulator.callbacks.idle(KEY)
  expect(await idle()).toEqual({ next: null, callbacks: 0 })
})

test('of what has come a wait that was in vain lists five, and counts the others', async () => {
  const { createB, emulator } = await startOnPort()
  const wait = () => invokeAction(emulator, 'wait', KEY, { for: 'request', status: 500, timeout: '0ms' })
  const create = 'POST /provB/api/v3/contents/generations/tasks (200)'
  const creates = async (count: number) => {
    for (let made = 0; made < count; made += 1) await createB({ callback_url: 'http://127.0.0.1:9/hook' })
  }
  const five = Array<string>(5).fill(create).join(', ')
  await creates(5)
  await expect(wait()).rejects.toThrow(`the latest requests: ${five}.`)
  await creates(2)
  await expect(wait()).rejects.toThrow(`the latest requests: ${five} and 2 more.`)
})

test('the hint of a wait in vain is to advance a clock that stands, and to wait longer for one that runs', async () => {
  const hintOn = async (clock: 'paused' | 'live') => {
    const { createB, emulator } = await startOnPort({ clock, timing: 'realistic' })
    await createB({ callback_url: 'http://127.0.0.1:9/hook' })
    const waiting = invokeAction(emulator, 'wait', KEY, { for: 'inbox', name: 'none', timeout: '0ms' })
    return waiting.catch(({ hint }) => hint)
  }
  expect(await hintOn('paused')).toMatch(/^The clock is paused and stands at .*: advance the clock\.$/)
  expect(await hintOn('live')).toBe('Wait longer with timeout, or look at what there is.')
})
