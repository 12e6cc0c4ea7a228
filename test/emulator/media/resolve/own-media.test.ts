import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { bodies, openInProcess, paths } from '../../../emulator.js'
import { openLocalServer } from './local-server.js'

type As = ReturnType<typeof openInProcess>['as']

const picture = await readFile('fixtures/media/first-frame.png')

const imageOf = async (as: As): Promise<string> =>
  (await as('k').post(paths.image, bodies.image())).body.output.choices[0].message.content[0].image

const repainted = (as: As, image: string) =>
  as('k').post(paths.image, {
    model: 'alpha-image-3.0-pro',
    input: { messages: [{ role: 'user', content: [{ text: 'repaint it' }, { image }] }] },
  })

/** What the journal says against the last call, and what it remarks on it. */
const lastOf = async (as: As) => (await as('k').requests.list())[0]

describe.each([
  ['with a path', 'https://pub.example.test/base/', 'https://pub.example.test/base/results/'],
  ['in large letters, with the port', 'https://CDN.example.test:443', 'https://cdn.example.test/results/'],
  ['with both', 'HTTPS://CDN.example.test:443/A/', 'https://cdn.example.test/A/results/'],
])('a public URL %s', (_, publicUrl, beginning) => {
  const { as } = openInProcess({ publicUrl })

  test('is written in one way, in results that are read when they come back', async () => {
    const url = await imageOf(as)
    expect(url.startsWith(beginning)).toBe(true)
    expect((await repainted(as, url)).status).toBe(200)
    expect((await lastOf(as))?.warnings.join(' ')).not.toContain('was not read')
  })

  test('a result with another signature is refused', async () => {
    const { status, body } = await repainted(as, (await imageOf(as)).replace(/Signature=./, 'Signature=!'))
    expect([status, body.code]).toEqual([400, 'InvalidURL'])
    expect(body.message).toContain('signature')
  })

  test('a result that has expired is refused', async () => {
    const url = await imageOf(as)
    await as('k').clock.advance('24h')
    expect((await repainted(as, url)).body.message).toContain('the result has expired')
  })

  test('fixtures are known under the public URL', async () => {
    const fixtures = `${beginning.replace('/results/', '')}/_backlot/fixtures`
    expect((await repainted(as, `${fixtures}/first-frame.png`)).status).toBe(200)
    expect((await repainted(as, `${fixtures}/clip.mp4`)).body.message).toContain('must be an image')
  })
})

test('a path outside of the path of the public URL belongs to another program', async () => {
  const { as } = openInProcess({ publicUrl: 'https://pub.example.test/base/' })
  const url = (await imageOf(as)).replace('/base/', '/')
  expect((await repainted(as, url)).status).toBe(200)
  expect((await lastOf(as))?.warnings.join(' ')).toContain('was not read')
})

describe('on loopback, at the port of another program', () => {
  const { as } = openInProcess()

  test.each([
    '/results/a.png',
    '/results/0123456789ab/r2v-1/0.png?Expires=1&Signature=x',
    '/_backlot/fixtures/mine.png',
    '/_backlot/stand-ins/mine.png',
  ])('%s is fetched', async (path) => {
    const { url, asked } = await openLocalServer((_, response) => response.end(picture))
    expect((await repainted(as, url + path)).status).toBe(200)
    expect(asked).toEqual([path])
  })

  test('a 404 of that program is refused with its status', async () => {
    const { url, port } = await openLocalServer((_, response) => response.writeHead(404).end())
    expect((await repainted(as, `${url}/results/a.png`)).body.message).toContain(
      `127.0.0.1:${port} answered 404`,
    )
  })

  test('a fixture is known by its name, and a result by its signature, without asking there', async () => {
    const { url, asked } = await openLocalServer((_, response) => response.writeHead(404).end())
    const elsewhere = (ours: string) => ours.replace(/^http:\/\/[^/]+/, url)
    const result = elsewhere(await imageOf(as))
    expect((await repainted(as, elsewhere('http://x/_backlot/fixtures/first-frame.png'))).status).toBe(200)
    expect((await repainted(as, result)).status).toBe(200)
    await as('k').clock.advance('24h')
    expect((await repainted(as, result)).body.message).toContain('the result has expired')
    expect(asked).toEqual([])
  })
})
