import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { MediaRef } from '../../../../src/emulator/core/media/input.js'
import { FolderBlobStore } from '../../../../src/emulator/media/files/blob-store.js'
import type { FetchResult } from '../../../../src/emulator/media/resolve/fetch-media.js'
import { createMediaResolver } from '../../../../src/emulator/media/resolve/resolve-media.js'
import { settingsSchema } from '../../../../src/emulator/settings.js'
import { openInProcess, paths } from '../../../emulator.js'
import { newFolder } from '../../../folder.js'
import { openLocalServer } from './local-server.js'

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
    blobs: new FolderBlobStore({ folder: newFolder(), maxBytes: 1 }),
    readOwnMedia: async () => undefined,
    readAsset: async () => ({ state: 'refused', reason: 'asset', detail: '' }),
    fetchMedia: () => new Promise((answer) => answers.push(answer)),
  })
  const resolved = resolveMedia(mediaRefs, 'k', { origin: 'http://127.0.0.1:4650', port: 4650 }, [])
  for (const begun of [16, 32, 40]) {
    await nextTurn()
    expect(answers).toHaveLength(begun)
    for (const answer of answers) answer({ reason: 'unreachable', detail: 'it answered 404' })
  }
  expect([...(await resolved).keys()]).toEqual(mediaRefs.map(({ url }) => url))
})

const { as } = openInProcess()
const unread = openInProcess({ fetchMedia: 'none' })

const picture = await readFile('fixtures/media/first-frame.png')

const repaint = (account: ReturnType<typeof as>, ...images: string[]) =>
  account.post(paths.image, {
    model: 'alpha-image-3.0-pro',
    input: {
      messages: [{ role: 'user', content: [{ text: 'repaint it' }, ...images.map((image) => ({ image }))] }],
    },
  })

const openPicture = () => openLocalServer((_, response) => response.end(picture))

test('with fetchMedia none no URL is read, not even one of this machine', async () => {
  const { url, asked } = await openPicture()
  const account = unread.as('none')
  expect((await repaint(account, `${url}/a.png`)).status).toBe(200)
  expect(asked).toEqual([])
  expect((await account.requests.list())[0]?.warnings.join(' ')).toContain('was not read')
})

test('a medium that a call names twice is fetched once', async () => {
  const { url, asked } = await openPicture()
  expect((await repaint(as('twice'), `${url}/a.png`, `${url}/a.png`, `${url}/b.png`)).status).toBe(200)
  expect(asked.toSorted()).toEqual(['/a.png', '/b.png'])
})

test('a data URL may be written in capital letters', async () => {
  const url = `DATA:IMAGE/PNG;BASE64,${picture.toString('base64')}`
  expect((await repaint(as('capitals'), url)).status).toBe(200)
  expect((await as('capitals').requests.list())[0]?.warnings.join(' ')).not.toContain('was not read')
})

test.each([
  ['with other letters than Base64 has', 'iVBO*w0K', 'it contains characters that are not valid Base64'],
  ['with text behind its padding', 'iVBORw==iVBO', 'it contains characters that are not valid Base64'],
  ['without data', '', 'its Base64 is empty or cut short'],
  ['with a single letter', 'A', 'its Base64 is cut short: no bytes have a text of that length'],
])('a data URL %s is refused', async (_, data, why) => {
  const { status, body } = await repaint(as('broken'), `data:image/png;base64,${data}`)
  expect([status, body.message]).toEqual([400, expect.stringContaining(why)])
})
