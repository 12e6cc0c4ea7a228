import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HealthIssue } from '../../src/emulator/core/events.js'
import { findFfmpeg } from '../../src/emulator/media/render/ffmpeg.js'
import * as load from '../../src/emulator/media/render/sharp.js'
import { newFolder } from '../folder.js'
import {
  drawnFile,
  KEY,
  localPart,
  paths,
  pictureUrl,
  type RawCalls,
  startForRawCalls,
  videoOrder,
} from '../security/raw-calls.js'

/** The path of a video that was made and not drawn yet. */
const videoPath = async ({ post, ask }: RawCalls): Promise<string> => {
  const { body } = await post(paths.tasks, videoOrder())
  const read = await ask(`${paths.tasks}/${body.id}`, { headers: { authorization: `Bearer ${KEY}` } })
  return localPart(read.body.content.video_url)
}

const picturePath = async (started: RawCalls, prompt?: string): Promise<string> =>
  localPart(await pictureUrl(started, prompt))

/** Everything that the operator is told, in the order in which it is told. */
const issuesOf = ({ emulator }: RawCalls): HealthIssue[] => {
  const issues: HealthIssue[] = []
  emulator.events.on('trouble', (trouble) => issues.push(trouble))
  return issues
}

const states = (issues: readonly HealthIssue[]) =>
  issues.map(({ need, state, code }) => `${need} ${state} ${code}`)

/** A program in the place of ffmpeg. */
const programThat = async (does: string): Promise<string> => {
  const path = join(newFolder(), 'ffmpeg')
  await writeProgram(path, does)
  return path
}

const writeProgram = async (path: string, does: string): Promise<void> => {
  await writeFile(
    path,
    `#!/bin/sh\nif [ "$1" = -version ]; then echo 'ffmpeg version 7.0'; exit 0; fi\n${does}\n`,
  )
  await chmod(path, 0o755)
}

/** Puts the real ffmpeg in the place of another program. */
const repaired = async (path: string): Promise<void> => {
  const found = await findFfmpeg()
  await writeFile(path, `#!/bin/sh\nexec '${found?.path}' "$@"\n`)
}

// In the place of ffmpeg are scripts for a shell.
const onUnix = test.skipIf(process.platform === 'win32')

onUnix.each([
  ['is killed', 'kill -9 $$', /SIGKILL/],
  ['fails', 'echo "no encoder" >&2; exit 1', /no encoder/],
  ['writes nothing', 'exit 0', /has written nothing/],
  ['prints garbage', 'head -c 100000 /dev/urandom; exit 0', /has written nothing/],
  ['writes garbage', 'for last; do :; done; echo garbage > "$last"; exit 0', /ffmpeg|rendered/],
])(
  'an ffmpeg that %s: the download says so, the operator hears of it once, and it mends itself',
  async (_, does, words) => {
    const ffmpeg = await programThat(does)
    const started = await startForRawCalls({ ffmpeg })
    const issues = issuesOf(started)
    const path = await videoPath(started)
    for (let times = 0; times < 3; times += 1) {
      const { status, body } = await started.ask(path)
      expect(status).toBe(500)
      expect(body.error.message).toMatch(words)
      expect(body.error.hint).not.toBe('')
    }
    expect((await started.ask(await picturePath(started))).status).toBe(200)
    await repaired(ffmpeg)
    const { status, headers } = await started.ask(path)
    expect([status, headers['content-type']]).toEqual([200, 'video/mp4'])
    expect(issues.map(({ need, state }) => `${need} ${state}`)).toEqual(['videos begun', 'videos over'])
    expect(issues[1]?.says).toBe('It works again, after 3 failures: Videos can be rendered.')
    expect(started.bugs).toEqual([])
  },
)

onUnix('an ffmpeg that hangs is killed after renderTimeoutMs', async () => {
  const ffmpeg = await programThat('exec sleep 1000')
  const started = await startForRawCalls({ ffmpeg, renderTimeoutMs: 200 })
  const { status, body } = await started.ask(await videoPath(started))
  expect([status, body.error.code]).toEqual([500, 'render-timeout'])
  expect(started.emulator.renderer.stats().running).toBe(0)
})

onUnix('an ffmpeg that is removed while the emulator runs, and comes back', async () => {
  const ffmpeg = await programThat('exit 1')
  await repaired(ffmpeg)
  const started = await startForRawCalls({ ffmpeg })
  const issues = issuesOf(started)
  expect((await started.ask(await videoPath(started))).status).toBe(200)
  const path = await videoPath(started)
  await rm(ffmpeg)
  expect((await started.ask(path)).status).toBe(500)
  expect((await started.ask(path)).body.error.code).toBe('ffmpeg-unusable')
  await writeProgram(ffmpeg, '')
  await repaired(ffmpeg)
  expect((await started.ask(path)).status).toBe(200)
  expect(issues.at(-1)?.state).toBe('over')
})

test.each([
  [
    'does not load',
    () => {
      throw new Error("Cannot find module '../build/sharp.node'")
    },
  ],
  [
    'throws at every call',
    () => () => {
      throw new Error('vips: out of memory')
    },
  ],
])('a sharp that %s: pictures say so, uploads too, and it mends itself', async (_, broken) => {
  const started = await startForRawCalls()
  const issues = issuesOf(started)
  const path = await picturePath(started)
  const spy = vi.spyOn(load, 'loadSharp').mockImplementation(broken as never)
  onTestFinished(() => spy.mockRestore())
  const { status, body } = await started.ask(path)
  expect(status).toBe(500)
  expect(body.error.message).toMatch(/sharp\.node|out of memory/)
  spy.mockRestore()
  expect((await started.ask(path)).status).toBe(200)
  expect(states(issues).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'pictures begun',
    'pictures over',
  ])
})

test('the folder of drawn media is removed while the emulator runs', async () => {
  const started = await startForRawCalls()
  const path = await picturePath(started)
  const { bytes } = await started.ask(path)
  await rm(started.folder, { recursive: true })
  const again = await started.ask(path)
  expect([again.status, again.bytes.equals(bytes)]).toEqual([200, true])
})

test('a file is cut short while the emulator runs', async () => {
  const started = await startForRawCalls()
  const path = await picturePath(started)
  const { bytes } = await started.ask(path)
  await writeFile(await drawnFile(started.folder), bytes.subarray(0, 100))
  expect((await started.ask(path)).bytes.equals(bytes)).toBe(true)
})

test('the folder is replaced by a file, and later by a folder again', async () => {
  const started = await startForRawCalls()
  const issues = issuesOf(started)
  const path = await picturePath(started)
  await rm(started.folder, { recursive: true })
  await writeFile(started.folder, 'a file')
  for (let times = 0; times < 2; times += 1) {
    const { status, body } = await started.ask(path)
    expect([status, body.error.code]).toEqual([500, 'folder-unusable'])
    expect(body.error.message).toContain('a file is where a folder should be')
    expect(body.error.hint).toContain('mediaFolder')
  }
  await rm(started.folder)
  await mkdir(started.folder)
  expect((await started.ask(path)).status).toBe(200)
  expect(states(issues)).toEqual(['pictures begun folder-unusable', 'pictures over folder-unusable'])
})
