import { useEmulator } from 'backlot/vitest'
import 'backlot/matchers/vitest'
import { expect, test } from 'vitest'
import { orderVideo } from '../src/client.js'

const emulator = useEmulator({ clock: 'paused' })

test('a video takes as long as it takes, and no time at all', async () => {
  const id = await orderVideo(emulator.key, 'a lighthouse')
  expect(await emulator.tasks.get(id)).not.toHaveSucceeded()
  const { happened } = await emulator.clock.advance({ to: 'idle' })
  expect(happened.map(({ detail }) => detail)).toEqual(['running', 'succeeded'])
  expect(await emulator.tasks.get(id)).toHaveSucceeded()
})

test('this account has no tasks but its own', async () => {
  const id = await orderVideo(emulator.key, 'a lighthouse')
  expect((await emulator.tasks.list()).map((task) => task.id)).toEqual([id])
})
