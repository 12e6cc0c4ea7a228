import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openStudio, paths } from '../../conversations/studio.js'

const { as } = openStudio()

const square = await readFile(new URL('../../../fixtures/media/square.png', import.meta.url))

// Spaces between tokens make a body large without making its media so.
const editing = (image: string, padding: number): string =>
  JSON.stringify({
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, { image }] }] },
  }) + ' '.repeat(padding)

const dataUrl = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`

// A picture of several hundred kilobytes: a PNG may hold a chunk of anything before its end.
const padded = (bytes: Buffer, extra: number): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(extra)
  head.write('teSt', 4, 'latin1')
  return Buffer.concat([bytes.subarray(0, 33), head, Buffer.alloc(extra + 4), bytes.subarray(33)])
}

test.each([
  ['a small body', 0],
  ['a large body', 2 * 2 ** 20],
])('the media of %s are read', async (_, padding) => {
  const { status, body } = await as('k').post(paths.image, editing(dataUrl(square), padding))
  expect(status).toBe(200)
  expect(body.usage.input_image_count).toBe(1)
})

test('large media in a large body are taken out of it, and the journal says how large they were', async () => {
  const url = dataUrl(padded(square, 2 ** 20))
  const guest = as('large')
  expect((await guest.post(paths.image, editing(url, 0))).status).toBe(200)
  const [entry] = await guest.requests.list()
  expect(JSON.stringify(entry?.body)).toContain(
    `(${url.length - 'data:image/png;base64,'.length} characters)`,
  )
})

test('Base64 that is none is refused in a large body as in a small one', async () => {
  const broken = `data:image/png;base64,${'%'.repeat(2_000)}`
  const answers = await Promise.all(
    [0, 2 ** 20].map((padding) => as('k').post(paths.image, editing(broken, padding))),
  )
  expect(answers.map(({ status }) => status)).toEqual([400, 400])
  expect(answers[0]?.body.message).toBe(answers[1]?.body.message)
})

test('a large body that is no JSON is refused', async () => {
  const { status, body } = await as('k').post(paths.image, `${'['.repeat(2 ** 20)}`)
  expect([status, body.code]).toEqual([400, 'InvalidParameter'])
})

test('a number in the place of Base64 leads nowhere', async () => {
  expect((await as('k').post(paths.image, editing('data:image/png;base64,@0:9', 0))).status).toBe(400)
  expect((await as('k').post(paths.image, editing('data:image/png;base64,@0:9', 2 ** 20))).status).toBe(400)
})

const deep = `{"a":${'['.repeat(101)}${']'.repeat(101)}}`

test.each([
  ['too deep', Buffer.from(deep), 'The request body must be at most 100 levels deep'],
  [
    'not in UTF-8',
    Buffer.from([0x22, 0xff, 0xfe, 0x22]),
    'The request body is not valid JSON: its text is not UTF-8',
  ],
  ['no JSON', Buffer.from('{"a" 1}'), 'The request body is not valid JSON: Expected '],
])('what is %s is refused with one sentence, however large it is', async (_, sent, sentence) => {
  const { agent } = openStudio()
  for (const padding of [0, 2 ** 20]) {
    const body = Buffer.concat([sent, Buffer.alloc(padding, ' ')])
    const answer = await agent
      .post(paths.tasks)
      .set({ authorization: 'Bearer k', 'content-type': 'application/json' })
      .serialize((bytes) => bytes)
      .send(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error.message.split('The request body')).toHaveLength(2)
    expect(answer.body.error.message).toContain(sentence)
  }
})
