import { expect, test, vi } from 'vitest'
import { KEY, type StartedEmulator, startOnPort } from '../../emulator.js'
import { callbackLog } from './lines.js'
import { type Answer, passing, startReceiver } from './receiver.js'

/** A receiver that answers its first messages only once so many status queries have come to the emulator. */
const slowUntil = async (polls: number) => {
  const held: (() => void)[] = []
  let come = 0
  const answer: Answer = (received, response, count) => {
    const give = () => passing(received, response, count)
    if (come < polls) held.push(give)
    else give()
  }
  const receiver = await startReceiver(answer)
  const emulation = await startOnPort({ clock: 'on-poll', callbackTimeoutScale: 100 })
  const { clock } = emulation.emulator
  const pass = clock.advanceOnPoll.bind(clock)
  vi.spyOn(clock, 'advanceOnPoll').mockImplementation((...asked) => {
    const passed = pass(...asked)
    come += 1
    if (come === polls) for (const give of held.splice(0)) give()
    return passed
  })
  return { receiver, emulation }
}

const delivered = async ({ emulator }: StartedEmulator, taskId: string) =>
  (await emulator.callbacks.list(KEY, { taskId, state: 'delivered' })).items
    .map(({ status }) => status)
    .reverse()

test('a query waits for what it brings about, behind a challenge that was on its way before', async () => {
  const { receiver, emulation } = await slowUntil(1)
  const id = await emulation.createF({ callback_url: receiver.url })
  await receiver.until(1)
  expect(await emulation.statusOfF(id)).toBe('running')
  expect(await delivered(emulation, id)).toEqual([null, 'queued', 'running'])
  expect(await emulation.statusOfF(id)).toBe('succeeded')
  expect(await delivered(emulation, id)).toEqual([null, 'queued', 'running', 'succeeded'])
})

test('two queries of different tasks at the same time wait for their deliveries', async () => {
  const { receiver, emulation } = await slowUntil(2)
  const ids = [
    await emulation.createF({ callback_url: receiver.url }),
    await emulation.createB({ callback_url: receiver.url }),
  ]
  await receiver.until(2)
  const [f, b] = ids as [string, string]
  const heardBy = async (status: Promise<string>, id: string) => [
    await status,
    await delivered(emulation, id),
  ]
  const [ofF, ofB] = await Promise.all([
    heardBy(emulation.statusOfF(f), f),
    heardBy(emulation.statusOfB(b), b),
  ])
  expect([ofF[0], ofB[0]]).toEqual(['running', 'running'])
  expect(ofF[1]).toEqual(expect.arrayContaining([null, 'queued', 'running']))
  expect(ofB[1]).toEqual(expect.arrayContaining(['queued', 'running']))
})

test('two lists at the same time wait for their deliveries', async () => {
  const { receiver, emulation } = await slowUntil(2)
  const ids = [
    await emulation.createB({ callback_url: receiver.url }),
    await emulation.createB({ callback_url: receiver.url }),
  ]
  await receiver.until(2)
  const outcomes = await Promise.all(
    ids.map(async (id) => [
      (await emulation.list(`filter.task_ids=${id}`)).body.items[0].status,
      await delivered(emulation, id),
    ]),
  )
  for (const [status, messages] of outcomes) {
    expect(status).toBe('running')
    expect(messages).toEqual(expect.arrayContaining(['queued', 'running']))
  }
})

test('a query does not wait for ever for a receiver that does not answer', async () => {
  const receiver = await startReceiver(() => {})
  const emulation = await startOnPort({ clock: 'on-poll', callbackTimeoutScale: 0.1 })
  const id = await emulation.createB({ callback_url: receiver.url })
  await receiver.until(1)
  expect(await emulation.statusOfB(id)).toBe('running')
  expect(await callbackLog(emulation.emulator)).toEqual(['queued waiting', 'running waiting'])
})
