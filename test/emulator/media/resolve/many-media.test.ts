import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { openInProcess, paths } from '../../../emulator.js'
import { openLocalServer } from './local-server.js'

const { as } = openInProcess()

test('of a call with far more media than any may have, which is refused, not all are read', async () => {
  const { url, asked } = await openLocalServer((_request, response) => response.writeHead(404).end())
  const content = Array.from({ length: 200 }, (_, index) => ({ image: `${url}/${index}` }))
  const { status, body } = await as('many').post(paths.image, {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, ...content] }] },
  })
  expect([status, body.code]).toEqual([400, 'InvalidParameter'])
  expect(asked).toHaveLength(64)
})

test('of many calls that name media, 32 media are fetched at a time', async () => {
  const held: ServerResponse[] = []
  const { url, asked } = await openLocalServer((_request, response) => void held.push(response))
  const call = (account: number) => {
    const content = Array.from({ length: 12 }, (_, index) => ({ image: `${url}/${account}/${index}` }))
    return as(`fetcher-${account}`).post(paths.image, {
      model: 'alpha-image-3.0-pro',
      input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, ...content] }] },
    })
  }
  const calls = Promise.all([0, 1, 2, 3].map(call))
  await expect.poll(() => asked.length).toBe(32)
  for (let released = 0; released < 48; released++) {
    await expect.poll(() => held.length).toBeGreaterThan(released)
    expect(asked.length).toBeLessThanOrEqual(32 + released)
    held[released]?.writeHead(404).end()
  }
  expect((await calls).map(({ status }) => status)).toEqual([400, 400, 400, 400])
  expect(asked).toHaveLength(48)
})
