import { LLMock } from '@copilotkit/aimock'
import { calls, ready } from './ready.mjs'

/** Yardstick: a mock server of the same kind, with a fixture each for pictures, videos and video tasks. */

const url = 'https://example.com/result'
const task = calls.find(({ name }) => name === 'B query')?.answer ?? { status: 'succeeded' }
const mock = new LLMock({ port: 0, logLevel: 'silent' })
mock.onImage(/./, { image: { url: `${url}.png` } })
// Its task-style interface answers queries with the task of a fixture, under the id of each create.
mock.addFixture({ match: { endpoint: 'video', userMessage: /\[media: / }, response: { json: task } })
mock.onVideo(/./, { video: { id: 'video-1', status: 'completed', url: `${url}.mp4` } })
await mock.start()
ready(mock.url)
