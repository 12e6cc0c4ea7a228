import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolder, start } from './house.js'

const fails = (name: string, nth: number) => ({
  name,
  says: 'one create fails',
  steps: [
    {
      when: { operation: 'b-video-task.create', nth },
      then: { answer: { error: 'ServerOverloaded' } },
      required: true,
    },
  ],
})

const inFolder = async () => join(await openFolder(), 'state.jsonl')

test('a scenario goes on counting where it was', async () => {
  const file = await inFolder()
  const first = await start(file)
  await first.scenario.play(fails('third-create', 3))
  await first.createB()
  await first.createB()
  await first.stop()
  const second = await start(file)
  expect(await second.scenario.steps()).toMatchObject([{ seen: 2, acted: 0 }])
  expect(await second.createB()).toBeUndefined()
  expect(await second.scenario.unused()).toEqual([])
})

test('one of the settings does not begin a second time', async () => {
  const file = await inFolder()
  const settings = { scenario: [fails('second-create', 2)] }
  const first = await start(file, settings)
  await first.createB()
  await first.stop()
  const second = await start(file, settings)
  expect(await second.scenario.steps()).toMatchObject([{ scenario: 'second-create', seen: 1 }])
})

test('one that is new among the settings begins, and one that has left them ends', async () => {
  const file = await inFolder()
  const first = await start(file, { scenario: [fails('of-old', 9)] })
  await first.scenario.play(fails('by-hand', 9))
  await first.stop()
  const second = await start(file, { scenario: [fails('of-late', 9)] })
  expect((await second.scenario.steps()).map(({ scenario }) => scenario)).toEqual(['by-hand', 'of-late'])
})

test('one that says something else now begins anew', async () => {
  const file = await inFolder()
  const first = await start(file, { scenario: [fails('some-create', 9)] })
  await first.createB()
  await first.stop()
  const second = await start(file, { scenario: [fails('some-create', 1)] })
  expect(await second.createB()).toBeUndefined()
})

test('one of the settings that was stopped stays stopped', async () => {
  const file = await inFolder()
  const settings = { scenario: [fails('second-create', 2)] }
  const first = await start(file, settings)
  await first.scenario.stop()
  await first.stop()
  const second = await start(file, settings)
  expect(await second.scenario.steps()).toEqual([])
})
