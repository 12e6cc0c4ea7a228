import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { startEmulator } from '../../../src/index.js'
import { startRecordingProxy } from '../../../src/real-service/recording-proxy.js'
import { endedHere } from '../../cli/backlot.js'
import { newFolder } from '../../folder.js'
import { leaves } from '../leaves.js'

const KEY = 'real-api-key-1234'
const PROFILE = 'test/real-service/hidden/session.yaml'
const PROMPT = 'a secret recipe of our kitchen'
const pauseMs = 50

// Clients of examples have no types, and some read their settings when they are imported.
// biome-ignore lint/suspicious/noExplicitAny: modules of any shape
const imported = (path: string): Promise<any> => import(/* @vite-ignore */ resolve('examples', path))
const required = createRequire(resolve('examples/jest-commonjs/package.json'))

/** What the clients in examples do with a service at a URL: good orders, and some that are refused. */
const session = async (url: string): Promise<void> => {
  const { createVideoClient } = await imported('vitest/src/video-client.js')
  const tasks = (apiKey: string) =>
    createVideoClient({ baseUrl: `${url}/provB/api/v3`, apiKey, pauseMs, attempts: 1 })
  await tasks(KEY).makeVideo(PROMPT)
  await expect(tasks('invalid').makeVideo(PROMPT)).rejects.toThrow()
  await expect(tasks(KEY).makeVideo(`${PROMPT} [[moderation]]`)).rejects.toThrow()

  vi.stubEnv('STUDIO_API_BASE', url)
  vi.stubEnv('STUDIO_API_KEY', KEY)
  vi.stubEnv('ASSET_API_BASE', `${url}/v1`)
  vi.stubEnv('ASSET_API_KEY', KEY)
  const { uploadAsset } = required('./src/assets.js')
  const { animate, makePicture } = required('./src/studio.js')
  await makePicture(PROMPT)
  await expect(makePicture(PROMPT, '100*100')).rejects.toThrow()
  await expect(makePicture(PROMPT, 'large')).rejects.toThrow()
  const asset = await uploadAsset(readFileSync('fixtures/media/first-frame.png'), 'frame.png', { pauseMs })
  await animate(asset, PROMPT, { pauseMs })

  vi.stubEnv('VIDEO_API_BASE', `${url}/v1`)
  vi.stubEnv('VIDEO_API_KEY', KEY)
  const { makeReferenceVideo } = await imported('node-test/src/reference-video.js')
  const character = 'https://example.com/character.png'
  await makeReferenceVideo(PROMPT, character, { pauseMs })
  await makeReferenceVideo('a'.repeat(850), character, { pauseMs })
  vi.stubEnv('VIDEO_API_KEY', 'invalid')
  await expect(makeReferenceVideo(PROMPT, character, { pauseMs })).rejects.toThrow()
  const { createVideo, readVideo } = await imported('jest-esm-typescript/src/video-client.ts')
  await createVideo(KEY, PROMPT, '18')
  await expect(readVideo(KEY, 'cgt-20200101000000-aaaaa')).rejects.toThrow()

  vi.stubEnv('IMAGE_API_BASE', `${url}/provA/api/v1`)
  vi.stubEnv('VIDEO_API_BASE', `${url}/provC/v2`)
  const { makePictures, orderVideo } = await imported('vitest-one-server/src/client.js')
  await makePictures(KEY, PROMPT, 7)
  await orderVideo(KEY, PROMPT)
  await orderOnPage(`${url}/provB/api/v3`)
  if (hasPython) await run('python3', ['-c', PYTHON_SESSION, url])
  if (hasCurl)
    await run('sh', [resolve('examples/shell/make-video.sh'), PROMPT], {
      VIDEO_API_BASE: `${url}/provB/api/v3`,
    })
}

/** The server of the example with a page, asked as its page asks it. */
const orderOnPage = async (baseUrl: string): Promise<void> => {
  const { createVideos } = await imported('playwright-vite/src/videos.js')
  const server = createServer(createVideos({ baseUrl, apiKey: KEY })).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const order = { method: 'POST', body: JSON.stringify({ prompt: PROMPT }) }
  const { id } = (await (await fetch(page, order)).json()) as { id: string }
  const read = async () => (await (await fetch(`${page}/${id}`)).json()) as { state: string; url?: string }
  while ((await read()).url === undefined);
}

const PYTHON_SESSION = `
import sys
sys.path.insert(0, ${JSON.stringify(resolve('examples/python'))})
from image_client import Refused, make_pictures
make_pictures(sys.argv[1], ${JSON.stringify(KEY)}, ${JSON.stringify(PROMPT)}, n=9)
try:
    make_pictures(sys.argv[1], ${JSON.stringify(KEY)}, ${JSON.stringify(PROMPT)}, n=10)
    sys.exit("ten pictures were made")
except Refused:
    pass
`

const hasProgram = (name: string): boolean => spawnSync(name, ['--version']).status === 0
const hasPython = hasProgram('python3')
const hasCurl = process.platform !== 'win32' && hasProgram('curl')

/** Runs a program to its end, in a folder of its own. */
const run = (program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(program, args, {
    cwd: newFolder(),
    env: { ...process.env, VIDEO_API_KEY: KEY, PYTHONDONTWRITEBYTECODE: '1', ...environment },
  })

/** Planted differences that the session has not met, or that no traffic shows (docs/verify.md). */
const hidden: Readonly<Record<string, string>> = {
  '/models/gamma-H3/framesPerSecond': 'files are fetched from elsewhere, past the recording',
  '/errors/e-video-reference/invalid_api_key/status': 'recordings have no keys: a 403 may be any refusal',
  '/answers/b-video-task.list/set/page': 'no client has asked for the list',
  '/answers/f-video-v2.read/wrap': 'no client has asked for a task of F',
  '/callbacks/b-video-task/handshake': 'messages to receivers are not in the traffic of a client',
  '/routes[0]/id': 'no client has called it',
  '/routes[0]/method': 'no client has called it',
  '/routes[0]/path': 'no client has called it',
  '/routes[0]/answer/body/ok': 'no client has called it',
}

test('what a session of the example clients has met is learned, each difference by its name', async () => {
  const service = await startEmulator({ clock: 'live', seed: 9, profile: PROFILE })
  onTestFinished(() => service.stop())
  const proxy = await startRecordingProxy(service.url, () => {})
  await session(proxy.url)
  const folder = newFolder()
  const recording = join(folder, 'examples.har')
  writeFileSync(recording, JSON.stringify(await proxy.stop()))

  const { code, out, err } = await endedHere(['learn', recording])
  expect({ code, err: err.trim() }).toEqual({
    code: 0,
    err: expect.stringMatching(
      /^backlot: Left aside: call \d+, e-video-reference\.create: HTTP status: the emulator says 200, the service 403\.$/,
    ),
  })
  const learned = parse(out)
  const names = new Set(leaves(learned).map((path) => path.toLowerCase()))
  // Nothing is learned beside what was planted: every key is one that the service has.
  const planted = parse(readFileSync(PROFILE, 'utf8'))
  expect(Object.keys(learned.rules).sort()).toEqual(Object.keys(planted.rules).sort())
  expect(Object.keys(planted.answers)).toEqual(expect.arrayContaining(Object.keys(learned.answers)))
  const missing = leaves(planted).filter((path) => !names.has(path.toLowerCase()))
  expect(missing.sort()).toEqual(Object.keys(hidden).sort())

  // Of bounds and times, traffic shows what it has met.
  expect(learned).toMatchObject({
    models: { 'videoa-2-0-fast-260128': { seconds: [4, 18] } },
    errors: { 'c-video': { task_not_exist: { status: 410, code: 'no_task' } } },
    rules: {
      'e-video-reference.prompt-length': { characters: 850 },
      'a-image.schema.parameters.n': { max: hasPython ? 9 : 7 },
    },
    answers: { 'b-video-task.read': { rename: { seed: 'seed_used' }, set: { vendor: 'acme' } } },
    rateLimits: { requestsPerMinute: 100, headers: { 'x-ratelimit-limit': 'limit' } },
  })
  for (const secret of [KEY, PROMPT, 'cgt-', '127.0.0.1', 'character.png']) expect(out).not.toContain(secret)

  const written = join(folder, 'learned.yaml')
  writeFileSync(written, out)
  const again = await endedHere(['learn', recording, '--profile', written])
  const { writtenBy: _, timing: __, ...more } = parse(again.out) ?? {}
  expect(more).toEqual({})
}, 300_000)
