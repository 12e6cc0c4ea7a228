import { expect, test, vi } from 'vitest'
import { blockWith, run } from './run.js'

test('without a helper: a video is made, and its URL ends after fourteen days', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  await run({ 'block.ts': blockWith('README.md', 'VideoTaskCreated').code })
  expect(printed.mock.calls).toEqual([[expect.stringMatching(/^http:.*\.mp4\?/)], [403]])
})
