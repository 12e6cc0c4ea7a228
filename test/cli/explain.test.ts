import { expect, onTestFinished, test } from 'vitest'
import { startEmulator } from '../../src/index.js'
import { ended, endedHere, started } from './backlot.js'
import { createVideo } from './requests.js'

test('the last call of an account is explained, and one by its request id', async () => {
  const { url } = await started()
  const refused = await createVideo(url, { duration: 99 })
  await createVideo(url)
  const id = refused.headers.get('x-request-id') ?? ''
  const last = await ended(['explain', '--url', url, '--key', 'secret-key'])
  expect(last).toMatchObject({
    code: 0,
    out: expect.stringMatching(/b-video-task\.create and was answered with 200[\s\S]*\nTask cgt-/),
  })
  expect((await ended(['explain', 'last', '--url', url])).out).toBe(last.out)
  const { out } = await ended(['explain', id, '--url', url, '--key', 'secret-key'])
  expect(out).toMatch(/^POST \/provB\/api\/v3\/contents\/generations\/tasks {2}400\n/)
  expect(out).toContain('Refused by the rule')
})

test('a call whose connection was reset is explained and listed as that, not by its status', async () => {
  const { url, line } = await started(['--scenario', 'reset-after-create'])
  await expect(createVideo(url)).rejects.toThrow()
  const event = JSON.parse(await line((text) => text.includes('"event":"request"')))
  expect(event).toMatchObject({ operation: 'b-video-task.create', connection: 'reset' })
  const { out } = await ended(['explain', 'last', '--url', url])
  expect(out).toMatch(/^POST \S+ {2}connection reset\n/)
  expect(out).toContain('got no answer: its connection was reset')
})

test('a download is listed with its status, and one whose connection was reset as that', async () => {
  const emulator = await startEmulator({
    timing: 'instant',
    scenario: [
      {
        ...{ name: 'bad-downloads', description: 'One download is reset, the next is refused.' },
        steps: [
          { when: { operation: 'results.download', nth: 1 }, then: { transport: { reset: true } } },
          { when: { operation: 'results.download', nth: 2 }, then: { result: { missing: true } } },
        ],
      },
    ],
  })
  onTestFinished(() => emulator.stop())
  const created = await createVideo(emulator.url)
  const { id } = (await created.json()) as { id: string }
  const task = `${emulator.url}/provB/api/v3/contents/generations/tasks/${id}`
  const read = await fetch(task, { headers: { authorization: 'Bearer secret-key' } })
  const { content } = (await read.json()) as { content: { video_url: string } }
  await expect(fetch(content.video_url, { method: 'HEAD' })).rejects.toThrow()
  expect((await fetch(content.video_url, { method: 'HEAD' })).status).toBe(404)
  const request = created.headers.get('x-request-id') ?? ''
  const { out } = await endedHere(['explain', request, '--url', emulator.url])
  expect(out.match(/(?<=\nDownloaded at \S+Z: ).*/g)).toEqual(['404.', 'connection reset.'])
})

test('control characters of clients do not reach the terminal', async () => {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.stop())
  await createVideo(emulator.url, { 'f\u001b[2J\u009b2J\nPOST': 1 })
  const { out } = await endedHere(['explain', '--url', emulator.url])
  expect(out).toContain('f�[2J�2J�POST')
  expect(out.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('without a call, and for an unknown request id, it says so', async () => {
  const { url } = await started()
  expect(await ended(['explain', '--url', url])).toMatchObject({
    code: 1,
    err: expect.stringContaining('No call has been made.'),
  })
  const unknown = await ended(['explain', 'nothing', '--url', url])
  expect([unknown.code, unknown.err.split('\n')[0]]).toEqual([
    1,
    'backlot: No journal has a request nothing.',
  ])
})

test('for a request of another account it says how the account is selected here', async () => {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.stop())
  const id = (await createVideo(emulator.url)).headers.get('x-request-id') ?? ''
  const { code, err } = await endedHere(['explain', id, '--url', emulator.url, '--key', 'other-key'])
  expect(code).toBe(1)
  expect(err).toContain(`The journal of this account has no request ${id}.\n`)
  expect(err).toContain(
    '; --key selects the account: without it, the calls of every account are looked through.',
  )
  expect(err).not.toContain('Authorization')
})
