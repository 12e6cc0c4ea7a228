import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import { bodies, openInProcess, paths } from '../../emulator.js'

const { as } = openInProcess()

const padded = (text: string): string => text + ' '.repeat(600 * 1024)

test.each([
  [
    'a byte order mark',
    `\uFEFF${JSON.stringify(bodies.image())}`,
    'Unexpected token U+FEFF, a byte order mark, which JSON does not have',
  ],
  [
    'a space that does not break',
    '{\u00A0"model": 1}',
    "Expected property name or '}' in JSON at position 1",
  ],
  ['such a space where a value begins', '\u00A0{}', 'Unexpected token U+00A0'],
  ['a letter', 'x', "Unexpected token 'x'"],
])('what is wrong with %s is said in a small body as in a large one', async (_, text, complaint) => {
  for (const body of [text, padded(text)]) {
    const { status, body: answer } = await as('k').post(paths.image, body)
    expect(status).toBe(400)
    expect(answer.message).toContain(`The request body is not valid JSON: ${complaint}`)
  }
})

test('an encoding that changes nothing is accepted in any spelling', async () => {
  for (const encoding of ['Identity', 'identity, IDENTITY', ' ']) {
    const headers = { 'Content-Encoding': encoding }
    expect((await as('k').post(paths.image, bodies.image()).set(headers)).status).toBe(200)
  }
})

test('a form is refused in any spelling of its type where JSON is asked for', async () => {
  const headers = { 'Content-Type': 'Multipart/Form-Data; boundary=x' }
  expect((await as('k').post('/v1/videos', '{}').set(headers)).status).toBe(415)
})

test('the journal says of a body without a length that it has more bytes than are allowed', async () => {
  const emulator = await startEmulator({ videoBodyBytes: 2_000 })
  onTestFinished(() => emulator.stop())
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer k' },
    body: new Blob([' '.repeat(3_000)]).stream(),
    duplex: 'half' as const,
  }
  const { status, headers } = await fetch(emulator.url + paths.tasks, init)
  expect(status).toBe(413)
  expect(await emulator.account('k').requests.get(headers.get('x-request-id') ?? '')).toMatchObject({
    bytes: 2_001,
    refusedBy: [{ found: '2001 bytes', allowed: 'at most 2000 bytes' }],
  })
})
