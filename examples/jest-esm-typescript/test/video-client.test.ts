import { expect, test } from '@jest/globals'
import { useEmulator } from 'backlot/jest'
import 'backlot/matchers/jest'
import { createVideo, readVideo } from '../src/video-client.js'

const emulator = useEmulator()

test('a video is queued, runs and is there', async () => {
  const { id, status } = await createVideo(emulator.key, 'a lighthouse', '4')
  expect(status).toBe('queued')
  expect((await readVideo(emulator.key, id)).status).toBe('running')
  const video = await readVideo(emulator.key, id)
  expect(video).toHaveSucceeded()
  await expect(video.content?.video_url).toBeAVideo({ seconds: 4 })
})

test('a length that no model makes is refused', async () => {
  await expect(createVideo(emulator.key, 'a lighthouse', '16')).rejects.toThrow('seconds')
  const [call] = await emulator.requests.list({ status: 400 })
  expect(call).toBeExplainedBy('c-video.schema.seconds')
})

test.concurrent('another one, at the same time', async () => {
  const account = await emulator.freshAccount()
  await createVideo(account.key, 'a lighthouse')
  await expect(account).toHaveReceived('c-video.create', { times: 1 })
})
