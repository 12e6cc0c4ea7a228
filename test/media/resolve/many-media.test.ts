import { expect, test } from 'vitest'
import { openStudio, paths } from '../../conversations/rendered-media.js'
import { openLocalServer } from './local-server.js'

const { as } = openStudio()

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
