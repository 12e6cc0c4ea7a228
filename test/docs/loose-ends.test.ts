import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createUseEmulator } from '../../src/testing/use-emulator.js'
import { clientOf } from '../emulator.js'
import { fakeFramework } from '../testing/fake-framework.js'

// Ids, the mark of a key and times follow from the name of the test's file.
const withoutChance = (text: string): string =>
  text
    .replaceAll(/cgt-\d{14}-\w{5}/g, 'ID')
    .replaceAll(/-[0-9a-f]{8}(?=[, ])/g, '-MARK')
    .replaceAll(/ +\+[\d.]+\w+/g, ' +TIME')

test('docs/testing.md shows a failure as it is', async () => {
  const { framework, file, run } = fakeFramework()
  const emulator = createUseEmulator(framework)()
  await file(async () => {
    const ends = run('orders a video', async () => {
      const { ask } = clientOf(emulator.url, emulator.key)
      const order = { model: 'videoa-2-0-260128', media: [{ type: 'text', text: 'a lighthouse' }] }
      const { body } = await ask('POST', '/v1/videos', order)
      await ask('GET', `/v1/videos/${body.id}`)
      await ask('GET', '/v1/videoz')
    })
    const { message } = await ends.catch((error) => error)
    const [, shown = ''] =
      /^```\n(The test leaves .*?)\n```$/ms.exec(readFileSync('docs/testing.md', 'utf8')) ?? []
    expect(withoutChance(shown)).toBe(withoutChance(message))
  })
})
