import { useEmulator } from 'backlot/vitest'
import 'backlot/matchers/vitest'
import { expect, test } from 'vitest'
import { makePictures } from '../src/client.js'

const emulator = useEmulator()

test('makes as many pictures as are asked for', async () => {
  const pictures = await makePictures(emulator.key, 'a lighthouse', 3)
  expect(pictures).toHaveLength(3)
  await expect(pictures[0]).toBeAnImage({ width: 768, height: 512 })
})

test('this account has seen one call, whatever other files do meanwhile', async () => {
  await makePictures(emulator.key, 'a lighthouse')
  await expect(emulator).toHaveReceived('a-image.create', { times: 1 })
})

test.concurrent.each([1, 2, 3, 4])('tests of one file can run at the same time (%d)', async (n) => {
  const account = await emulator.freshAccount()
  await makePictures(account.key, 'a lighthouse', n)
  await expect(account).toHaveReceived('a-image.create', { times: 1, body: { parameters: { n } } })
})
