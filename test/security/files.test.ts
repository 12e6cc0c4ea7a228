import { lstat, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../folder.js'
import { drawnFile, imageOrder, localPart, paths, pictureUrl, startForRawCalls } from './raw-calls.js'

const SECRET = 'this-stays-secret'

/** A file above the folder of drawn media, and an emulator with a picture in it. */
const openWithSecret = async () => {
  const above = newFolder()
  await writeFile(join(above, 'secret.txt'), SECRET)
  const started = await startForRawCalls({ mediaFolder: join(above, 'media') })
  return { ...started, above, picture: localPart(await pictureUrl(started)) }
}

const climbs = [
  '../../secret.txt',
  '..%2f..%2fsecret.txt',
  '%2e%2e/%2e%2e/secret.txt',
  '%2e%2e%2f%2e%2e%2fsecret.txt',
  '..%252f..%252fsecret.txt',
  '..%5c..%5csecret.txt',
  '..\\..\\secret.txt',
  '....//....//secret.txt',
  '.%00./secret.txt',
  'square.png%00.txt',
  '..%c0%af..%c0%afsecret.txt',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  'file:%2f%2f%2fetc%2fpasswd',
  '.',
  '..',
  '',
  'index.json',
  'INDEX.JSON',
  '../../package.json',
  '..%2f..%2fpackage.json',
  '%',
  '%zz',
]

test.each(climbs)('the fixtures are left by no path: %s', async (climb) => {
  const { ask, bugs } = await openWithSecret()
  const answer = await ask(`/_backlot/fixtures/${climb}`)
  // The list of the fixtures is what the address without a name answers.
  const isList = answer.status === 200 && answer.body?.items?.length > 0
  expect(isList || [400, 401, 404].includes(answer.status)).toBe(true)
  expect(answer.text).not.toMatch(new RegExp(`${SECRET}|root:|"dependencies"`))
  expect(bugs).toEqual([])
})

test.each(climbs)('the results are left by no path: %s', async (climb) => {
  const { ask, picture, bugs } = await openWithSecret()
  const [place = '', query = ''] = picture.split('?')
  for (const path of [
    `/results/${climb}`,
    `${place}/${climb}?${query}`,
    `${place.replace('0.png', climb)}?${query}`,
  ]) {
    const { status, text } = await ask(path)
    expect([400, 403, 404]).toContain(status)
    expect(text).not.toMatch(new RegExp(`${SECRET}|root:|"dependencies"`))
  }
  expect(bugs).toEqual([])
})

test.each(climbs)('media of a body leave no folder either: %s', async (climb) => {
  const { post, url, bugs } = await openWithSecret()
  for (const root of [`${url}/_backlot/fixtures/`, 'http://any.test/_backlot/fixtures/', `${url}/results/`]) {
    const { status, text } = await post(paths.image, imageOrder('x', [{ image: root + climb }]))
    // An address of another host that is no fixture's, once its dots are taken out, is accepted unseen.
    expect([200, 400]).toContain(status)
    expect(text).not.toMatch(new RegExp(`${SECRET}|root:|"dependencies"`))
  }
  expect(bugs).toEqual([])
})

test('a link in the place of a drawn file is not followed: the file is drawn again', async () => {
  const { ask, picture, above } = await openWithSecret()
  const { bytes: drawn } = await ask(picture)
  const file = await drawnFile(join(above, 'media'))
  await rm(file)
  await symlink(join(above, 'secret.txt'), file)
  const { status, bytes } = await ask(picture)
  expect(status).toBe(200)
  expect(bytes.equals(drawn)).toBe(true)
})

test('a link that an earlier process has found in the folder is not followed', async () => {
  const first = await openWithSecret()
  await first.ask(first.picture)
  // What one process leaves to the next is the media cache. The link leads to an entry that is whole: only that it is a link is wrong.
  const folder = join(first.above, 'media', 'cache')
  const [name = '', ...others] = await readdir(folder)
  expect([name, others]).toEqual([expect.stringMatching(/^1-[0-9a-f]{64}$/), []])
  const outside = join(first.above, 'entry')
  await rename(join(folder, name), outside)
  await symlink(outside, join(folder, name))
  const second = await startForRawCalls({ mediaFolder: join(first.above, 'media') })
  const { bytes } = await second.ask(localPart(await pictureUrl(second)))
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(second.emulator.renderer.stats().renders).toBe(1)
  expect((await lstat(join(folder, name))).isFile()).toBe(true)
})

test('names of uploads that climb folders are refused, and nothing is written outside', async () => {
  const { ask, above } = await openWithSecret()
  await mkdir(join(above, 'media'), { recursive: true })
  for (const name of ['../../climbed.png', '..\\climbed.png', '/tmp/climbed.png', 'a\u0000b.png']) {
    const form = `--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nbytes\r\n--x--\r\n`
    await ask('/v1/asset/upload', {
      method: 'POST',
      headers: { authorization: 'Bearer some-key', 'content-type': 'multipart/form-data; boundary=x' },
      body: form,
    })
  }
  const outside = [...(await readdir(above)), ...(await readdir(join(above, 'media')))]
  expect(outside.filter((name) => name.includes('climbed'))).toEqual([])
})
