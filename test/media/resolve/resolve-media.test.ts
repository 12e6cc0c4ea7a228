import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { MediaRef } from '../../../src/core/media/input.js'
import { settingsSchema } from '../../../src/core/settings.js'
import { createBlobStore } from '../../../src/media/files/blob-store.js'
import type { FetchResult } from '../../../src/media/resolve/fetch-media.js'
import { createMediaResolver } from '../../../src/media/resolve/resolve-media.js'
import { newFolder } from '../render/specs.js'

const mediaRefs = Array.from(
  { length: 40 },
  (_, index): MediaRef => ({
    field: `image[${index}]`,
    url: `http://127.0.0.1/${index}.png`,
    wants: 'image',
  }),
)

test('however many media a call names, 16 are fetched at a time', async () => {
  const answers: ((result: FetchResult) => void)[] = []
  const resolveMedia = createMediaResolver({
    settings: settingsSchema.parse({}),
    blobs: createBlobStore({ folder: await newFolder(), maxBytes: 1 }),
    readOwnMedia: async () => undefined,
    readAsset: async () => ({ state: 'refused', reason: 'asset', detail: '' }),
    fetchMedia: () => new Promise((answer) => answers.push(answer)),
  })
  const resolved = resolveMedia(mediaRefs, 'k', { origin: 'http://127.0.0.1:4010', port: 4010 }, [])
  for (const begun of [16, 32, 40]) {
    await nextTurn()
    expect(answers).toHaveLength(begun)
    for (const answer of answers) answer({ reason: 'unreachable', detail: 'it answered 404' })
  }
  expect([...(await resolved).keys()]).toEqual(mediaRefs.map(({ url }) => url))
})
