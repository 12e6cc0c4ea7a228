import { expect, test } from '@jest/globals'
import { useEmulator } from 'backlot/jest'
import { createVideo } from '../src/video-client.js'

// In another worker, on the same emulator.
const emulator = useEmulator({ balance: 0 })

test('without money there is no video', async () => {
  await expect(createVideo(emulator.key, 'a lighthouse')).rejects.toThrow('insufficient balance')
  expect(await emulator.tasks.list()).toEqual([])
})
