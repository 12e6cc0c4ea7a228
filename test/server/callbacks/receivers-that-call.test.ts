import { expect, test } from 'vitest'
import { type Emulation, KEY, startEmulation } from './emulation.js'
import { type Answer, passingThen, startReceiver } from './receiver.js'

// A receiver that calls the emulator before it answers. Were anybody to wait for it in a circle, its attempts would
// time out; so the tests ask that none does.
const outcomesOf = async ({ emulator }: Emulation) =>
  (await emulator.callbacks.list(KEY)).items.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))

const nestedIn = (act: (emulation: Emulation, taskId: string) => Promise<unknown>) => {
  const held: { emulation?: Emulation } = {}
  const answer: Answer = passingThen(async ({ body }, response) => {
    await act(held.emulation as Emulation, body.id)
    response.end()
  })
  return { held, answer }
}

test.each(['paused', 'on-poll', 'live'] as const)(
  'a receiver may query the task it hears of (%s)',
  async (clock) => {
    const { held, answer } = nestedIn(({ statusOfF }, id) => statusOfF(id))
    const receiver = await startReceiver(answer)
    const emulation = await startEmulation({ clock })
    held.emulation = emulation
    await emulation.createF(receiver.url)
    await emulation.emulator.clock.passUntilIdle(KEY)
    expect(receiver.heard()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
    expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
  },
)

test('a receiver may query while a poll waits for it', async () => {
  const { held, answer } = nestedIn(({ statusOfF }, id) => statusOfF(id))
  const receiver = await startReceiver(answer)
  const emulation = await startEmulation({ clock: 'on-poll' })
  held.emulation = emulation
  const id = await emulation.createF(receiver.url)
  await emulation.emulator.callbacks.idle(KEY)
  expect(['running', 'succeeded']).toContain(await emulation.statusOfF(id))
  await emulation.emulator.clock.passUntilIdle(KEY)
  expect(receiver.heard()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
  expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
})

test('a receiver may create another task, whose callbacks come too', async () => {
  let created = 0
  const { held, answer } = nestedIn(async ({ createF }) => {
    created += 1
    if (created <= 3) await createF(receiver.url)
  })
  const receiver = await startReceiver(answer)
  const emulation = await startEmulation()
  held.emulation = emulation
  await emulation.createF(receiver.url)
  await emulation.emulator.clock.passUntilIdle(KEY)
  expect(receiver.heard().filter((what) => what === 'succeeded')).toHaveLength(4)
  expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
})

test('a receiver may advance the clock while an advance waits for it', async () => {
  const { held, answer } = nestedIn(({ emulator }) => emulator.clock.passToNext(KEY))
  const receiver = await startReceiver(answer)
  const emulation = await startEmulation()
  held.emulation = emulation
  const challengeOnly = emulation.createF(receiver.url)
  await challengeOnly
  await emulation.emulator.clock.passUntilIdle(KEY)
  expect(receiver.heard()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
  expect(new Set(await outcomesOf(emulation))).toEqual(new Set(['answered']))
})

test('an advance does not end before a delivery that came about in another one it let in', async () => {
  const { held, answer } = nestedIn(({ emulator }, id) => emulator.clock.passToNext(KEY).then(() => id))
  const receiver = await startReceiver(answer)
  const emulation = await startEmulation({ timing: 'realistic' })
  held.emulation = emulation
  const id = await emulation.createB(receiver.url)
  const happened = await emulation.emulator.clock.passBy(KEY, 0)
  expect(happened.some(({ detail }) => detail === 'delivered')).toBe(true)
  expect(receiver.heard()).toEqual(['queued', 'running', 'succeeded'])
  expect((await emulation.emulator.callbacks.get(KEY, `${id}-3`))?.state).toBe('delivered')
})
