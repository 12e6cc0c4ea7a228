import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useEmulator } from 'backlot/node-test'
import { makeReferenceVideo } from '../src/reference-video.js'

const emulator = useEmulator({ env: { VIDEO_API_BASE: '{url}/v1', VIDEO_API_KEY: '{key}' } })

const character = () => `${emulator.url}/_backlot/fixtures/first-frame.png`

describe('a reference video', () => {
  test('is made, with progress', async () => {
    const progress = []
    const url = await makeReferenceVideo('she waves', character(), {
      pauseMs: 1,
      onProgress: (percent) => progress.push(percent),
    })
    assert.equal((await fetch(url)).headers.get('content-type'), 'video/mp4')
    assert.equal(progress.at(-1), 100)
  })

  test('is not made from more than 800 characters', async () => {
    await assert.rejects(makeReferenceVideo('x'.repeat(801), character()), /prompt/)
    const [call] = await emulator.requests.list({ problem: 'any' })
    assert.equal(call.refusedBy[0].field, 'prompt')
  })

  test('the next test has a fresh account', async () => {
    assert.deepEqual(await emulator.requests.list(), [])
  })
})
