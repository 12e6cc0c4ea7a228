import { expect, test, vi } from 'vitest'
import { KEY, type StartedEmulator, startOnPort } from '../../emulator.js'
import { callbackLog } from './lines.js'
import { type Answer, passingThen, startReceiver } from './receiver.js'

// A receiver that calls the emulator before it answers. If calls waited for it in a circle, its attempts would
// time out; so the tests ask that none does.
const outcomesOf = async ({ emulator }: StartedEmulator) =>
  (await emulator.callbacks.list(KEY)).items.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))

const nestedIn = (act: (emulation: StartedEmulator, taskId: string) => Promise<unknown>) => {
  const held: { emulation?: StartedEmulator } = {}
  const answer: Answer = passingThen(async ({ body }, response) => {
    await act(held.emulation as StartedEmulator, body.id)
    response.end()
  })
  return { held, answer }
}

test.each(['paused', 'on-poll', 'live'] as const)(
  'a receiver may query the task it hears of (%s)',
  async (clock) => {
    const { held, answer } = nestedIn(({ statusOfF }, id) => statusOfF(id))
    const receiver = await startReceiver(answer)
    const emulation = await startOnPort({ clock })
    held.emulation = emulation
    await emulation.createF({ callback_url: receiver.url })
    await emulation.emulator.clock.advanceUntilIdle(KEY)
    expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
    expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
  },
)

test('a receiver may query while a poll waits for it', async () => {
  const { held, answer } = nestedIn(({ statusOfF }, id) => statusOfF(id))
  const receiver = await startReceiver(answer)
  const emulation = await startOnPort({ clock: 'on-poll' })
  held.emulation = emulation
  const id = await emulation.createF({ callback_url: receiver.url })
  await emulation.emulator.callbacks.idle(KEY)
  expect(['running', 'succeeded']).toContain(await emulation.statusOfF(id))
  await emulation.emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
  expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
})

test('an advance waits for a receiver whose query waits already', async () => {
  const { held, answer } = nestedIn(({ statusOfB }, id) => statusOfB(id))
  const receiver = await startReceiver(answer)
  const emulation = await startOnPort({ clock: 'on-poll' })
  held.emulation = emulation
  const { clock } = emulation.emulator
  const pass = clock.advanceOnPoll.bind(clock)
  const polling = new Promise((resolve) => {
    vi.spyOn(clock, 'advanceOnPoll').mockImplementation((...asked) => {
      setImmediate(resolve)
      return pass(...asked)
    })
  })
  await emulation.createB({ callback_url: receiver.url })
  await polling
  await clock.advanceUntilIdle(KEY)
  expect(await callbackLog(emulation.emulator)).toEqual([
    'queued delivered',
    'running delivered',
    'succeeded delivered',
  ])
})

test('a receiver may create another task, whose callbacks come too', async () => {
  let created = 0
  const { held, answer } = nestedIn(async ({ createF }) => {
    created += 1
    if (created <= 3) await createF({ callback_url: receiver.url })
  })
  const receiver = await startReceiver(answer)
  const emulation = await startOnPort()
  held.emulation = emulation
  await emulation.createF({ callback_url: receiver.url })
  await emulation.emulator.clock.advanceUntilIdle(KEY)
  expect(receiver.kinds().filter((what) => what === 'succeeded')).toHaveLength(4)
  expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
})

// The challenge is held until the outer advance waits for it, so that the one in the receiver is the inner one.
const advancedInside = async (outer: (emulation: StartedEmulator) => Promise<unknown>) => {
  const release: (() => void)[] = []
  const receiver = await startReceiver(async ({ body, what }, response) => {
    if (what === 'challenge') return release.push(() => response.end(body.challenge))
    await emulation.emulator.clock.advanceToNext(KEY)
    return response.end()
  })
  const emulation = await startOnPort({ timing: 'realistic' })
  await emulation.createF({ callback_url: receiver.url })
  await receiver.until(1)
  const advancing = outer(emulation)
  release[0]?.()
  await advancing
  return { emulation, receiver }
}

test('a receiver may advance the clock while an advance waits for it', async () => {
  const { emulation, receiver } = await advancedInside(({ emulator }) => emulator.clock.advanceUntilIdle(KEY))
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
  expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
})

test('an advance does not end before what came about in one that it let in', async () => {
  const { emulation } = await advancedInside(({ emulator }) => emulator.clock.advanceBy(KEY, 0))
  expect(await callbackLog(emulation.emulator)).toEqual([
    'challenge delivered',
    'queued delivered',
    'running delivered',
    'succeeded delivered',
  ])
})

test('a receiver may query a task that no other client queries', async () => {
  const { held, answer } = nestedIn(({ statusOfB }, id) => statusOfB(id))
  const receiver = await startReceiver(answer)
  const emulation = await startOnPort({ clock: 'on-poll', callbackTimeoutScale: 0.2 })
  held.emulation = emulation
  await emulation.createB({ callback_url: receiver.url })
  await receiver.until(3)
  await emulation.emulator.callbacks.idle(KEY)
  expect(receiver.kinds()).toEqual(['queued', 'running', 'succeeded'])
  expect(await outcomesOf(emulation)).toEqual(['answered', 'answered', 'answered'])
})
