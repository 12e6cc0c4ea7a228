import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bodies, openInProcess, paths } from '../../../emulator.js'
import { openLocalServer } from './local-server.js'

const { as } = openInProcess()

const picture = await readFile('fixtures/media/first-frame.png')

/** A server that sends on from `/1` to `/2` and so forth, and has the picture at `/0`; everything else leads to `goal`. */
const openRedirecting = (goal = '/0') =>
  openLocalServer((request, response) => {
    const step = Number(request.url?.slice(1))
    if (step === 0) response.end(picture)
    else response.writeHead(302, { location: step > 1 ? `/${step - 1}` : goal }).end()
  })

const repainted = (key: string, image: string) =>
  as(key).post(paths.image, {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, { image }] }] },
  })

test.each([1, 2, 3])('%d redirects on this machine are followed', async (redirects) => {
  const { url, asked } = await openRedirecting()
  expect((await repainted('followed', `${url}/${redirects}`)).status).toBe(200)
  expect(asked).toHaveLength(redirects + 1)
})

test('a fourth one is not', async () => {
  const { url, asked } = await openRedirecting()
  const { status, body } = await repainted('fourth', `${url}/4`)
  expect([status, body.code]).toEqual([400, 'InvalidURL'])
  expect(body.message).toContain('redirects once more after 3 redirects')
  expect(asked).toEqual(['/4', '/3', '/2', '/1'])
})

test('a loop has an end', async () => {
  const { url, asked } = await openRedirecting('/1')
  expect((await repainted('loop', `${url}/1`)).status).toBe(400)
  expect(asked).toEqual(['/1', '/1', '/1', '/1'])
})

test.each([
  ['another host', 'http://cdn.example.test/x.png', 'cdn.example.test'],
  ['a private address', 'http://10.0.0.7:8080/x.png', '10.0.0.7:8080'],
  ['where machines are told secrets', 'http://169.254.169.254/latest', '169.254.169.254'],
  ['a file', 'file:///etc/passwd', 'file:'],
])('a redirect to %s is refused by its name', async (_, goal, name) => {
  const { url, port } = await openRedirecting(goal)
  const { status, body } = await repainted('elsewhere', `${url}/1`)
  expect(status).toBe(400)
  expect(body.message).toContain(
    `127.0.0.1:${port} redirects to ${name}, and redirects are followed from loopback to loopback alone`,
  )
})

test('a redirect to a port at which no HTTP is spoken is refused', async () => {
  const { url } = await openRedirecting('http://127.0.0.1:6379/')
  const { status, body } = await repainted('port', `${url}/1`)
  expect(status).toBe(400)
  expect(body.message).toContain('media are not read from 127.0.0.1')
})

test('a redirect to a result of the emulator is followed, until the result has expired', async () => {
  const { body } = await as('own').post(paths.image, bodies.image())
  const result: string = body.output.choices[0].message.content[0].image
  const { url, asked } = await openRedirecting(result)
  expect((await repainted('own', `${url}/1`)).status).toBe(200)
  await as('own').clock.advance('24h')
  expect((await repainted('own', `${url}/1`)).body.message).toContain('the result has expired')
  expect(asked).toEqual(['/1', '/1'])
})
