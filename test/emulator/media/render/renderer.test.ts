import { chmod, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { readMark } from '../../../../src/emulator/core/media/mark.js'
import { posterOf, videoIn } from '../../../../src/emulator/core/media/spec.js'
import { probe } from '../../../../src/emulator/media/probe.js'
import { findFfmpeg } from '../../../../src/emulator/media/render/ffmpeg.js'
import { newFolder } from '../../../folder.js'
import { inputOf, newStudio, picture, video } from './specs.js'

const onUnix = test.skipIf(process.platform === 'win32')

test('nothing is made before the first file is opened', async () => {
  const folder = join(newFolder(), 'not-yet')
  const renderer = await newStudio({ folder })
  expect(await readdir(dirname(folder))).toEqual([])
  expect(renderer.stats()).toEqual({
    ...{ renders: 0, renderMs: 0, failures: 0, hits: 0, misses: 0 },
    ...{ diskBytes: 0, memoryBytes: 0, waiting: 0, running: 0 },
  })
})

test.each([
  [picture(), 'image/png', '.png'],
  [video(), 'video/mp4', '.mp4'],
  [{ kind: 'last-frame', of: video() }, 'image/png', '.png'],
] as const)('a file says what it is', async (spec, contentType, extension) => {
  const file = await (await newStudio()).open(spec)
  expect(isAbsolute(file.path)).toBe(true)
  expect(file.path.endsWith(extension)).toBe(true)
  expect(file).toMatchObject({ contentType, etag: expect.stringMatching(/^"[0-9a-f]{64}"$/) })
  expect(await readFile(file.path)).toHaveLength(file.bytes)
})

test('however many ask at once, it is drawn once', async () => {
  const renderer = await newStudio()
  const files = await Promise.all(Array.from({ length: 10 }, () => renderer.open(picture())))
  expect(new Set(files.map(({ path, etag }) => path + etag)).size).toBe(1)
  expect(renderer.stats()).toMatchObject({ renders: 1, hits: 0, misses: 10 })
  await renderer.open(picture())
  expect(renderer.stats()).toMatchObject({ renders: 1, hits: 1, misses: 10 })
})

test('released files make room, held ones stay', async () => {
  const one = await (await newStudio()).open(picture({ seed: 1 }))
  const renderer = await newStudio({ mediaDiskBytes: Math.round(one.bytes * 1.5) })
  const held = await renderer.open(picture({ seed: 1 }))
  ;(await renderer.open(picture({ seed: 2 }))).release()
  expect(await readFile(held.path)).toHaveLength(held.bytes)
  expect(renderer.stats().diskBytes).toBe(held.bytes)
})

test('a cache folder that is deleted is made again', async () => {
  const folder = join(newFolder(), 'cache')
  const renderer = await newStudio({ folder })
  const first = await renderer.open(picture())
  await rm(folder, { recursive: true })
  const second = await renderer.open(picture())
  expect(second.path).toBe(first.path)
  expect(await readFile(second.path)).toHaveLength(first.bytes)
  expect(renderer.stats().renders).toBe(2)
})

test.each([
  ['picture', picture()],
  ['video', video()],
])('a %s is kept between runs, and is rendered again where its entry is damaged', async (_, spec) => {
  const mediaCache = newFolder()
  const first = await (await newStudio({ mediaCache })).open(spec)
  const next = await newStudio({ mediaCache })
  const second = await next.open(spec)
  expect(next.stats()).toMatchObject({ renders: 0, misses: 1 })
  expect(second.etag).toBe(first.etag)
  const bytes = await readFile(second.path)
  expect(bytes.equals(await readFile(first.path))).toBe(true)
  const [entry = ''] = await readdir(mediaCache)
  await truncate(join(mediaCache, entry), bytes.length - 100)
  const last = await newStudio({ mediaCache })
  expect((await readFile((await last.open(spec)).path)).equals(bytes)).toBe(true)
  expect(last.stats()).toMatchObject({ renders: 1 })
})

onUnix('another build of ffmpeg does not meet the videos of this one', async () => {
  const mediaCache = newFolder()
  await (await newStudio({ mediaCache })).open(video())
  const real = (await findFfmpeg())?.path
  const path = join(newFolder(), 'ffmpeg')
  const say = '[ "$1" = -version ] && echo "ffmpeg version other" && exit 0'
  await writeFile(path, `#!/bin/sh\n${say}\nexec "${real}" "$@"\n`)
  await chmod(path, 0o755)
  const other = await newStudio({ mediaCache, ffmpeg: path })
  await other.open(video())
  expect(other.stats()).toMatchObject({ renders: 1 })
  expect(await readdir(mediaCache)).toHaveLength(2)
})

test('a cache folder that cannot be used is named once, and media are rendered all the same', async () => {
  const file = join(newFolder(), 'file')
  await writeFile(file, '')
  const troubles: string[] = []
  const onCacheTrouble = (sentence: string) => void troubles.push(sentence)
  const renderer = await newStudio({ mediaCache: file, onCacheTrouble })
  for (const seed of [1, 2]) await renderer.open(picture({ seed }))
  expect(troubles).toEqual([expect.stringContaining(`Rendered media cannot be kept in ${file}: `)])
})

describe('plain media', () => {
  const of = (id: string) => ({ ...picture().card, id, prompt: `prompt of ${id}` })

  test.each([
    ['picture', (id: string) => picture({ card: of(id), seed: id.length })],
    ['video', (id: string) => video({ card: of(id), seed: id.length })],
    ['last frame', (id: string) => ({ kind: 'last-frame', of: video({ card: of(id) }) }) as const],
    ['poster', (id: string) => posterOf(video({ card: of(id) }))],
  ])('a %s is rendered once for all tasks, and each has a file of its own', async (_, specOf) => {
    const renderer = await newStudio({ media: 'plain' })
    const ids = ['one', 'another', 'the third']
    const opened = await Promise.all(ids.map((id) => renderer.open(specOf(id))))
    expect(renderer.stats()).toMatchObject({ renders: 1, misses: 3 })
    for (const key of ['etag', 'path', 'bytes'] as const)
      expect(new Set(opened.map((file) => file[key])).size).toBe(3)
    const bytes = await Promise.all(opened.map(({ path }) => readFile(path)))
    expect(bytes.map((file) => readMark(file)?.task)).toEqual(ids)
    const facts = await Promise.all(bytes.map((file) => probe(file)))
    const { width, height } = videoIn(specOf('one'))
    for (const fact of facts) expect(fact).toMatchObject({ width, height })
  })

  test('other pixels are another shape', async () => {
    const renderer = await newStudio({ media: 'plain' })
    for (const width of [256, 320]) await renderer.open(picture({ width }))
    expect(renderer.stats()).toMatchObject({ renders: 2 })
  })

  test('a first frame is shown', async () => {
    const size = { width: 64, height: 64, channels: 3 as const, background: '#f00' }
    const red = inputOf(await sharp({ create: size }).png().toBuffer())
    const renderer = await newStudio({ media: 'plain' })
    const { path } = await renderer.open(posterOf(video({ firstFrame: red })))
    expect((await sharp(path).stats()).dominant).toMatchObject({ r: 248, g: 8, b: 8 })
  })
})

test.each([picture(), video()])('a card has its mark too', async (spec) => {
  const { path } = await (await newStudio()).open(spec)
  expect(readMark(await readFile(path))).toMatchObject({ task: 'some-request', seed: 7, index: 0 })
})

test('a poster is made without the video', async () => {
  const renderer = await newStudio({ ffmpeg: '/nowhere/ffmpeg' })
  const { path, contentType } = await renderer.open(posterOf(video()))
  expect(contentType).toBe('image/png')
  expect(await probe(await readFile(path))).toMatchObject({ format: 'png', width: 320, height: 240 })
})

test('a render for a client that has left already is aborted at once', async () => {
  const renderer = await newStudio()
  await expect(renderer.open(picture(), AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(renderer.stats().misses).toBe(0)
})

/** A program in place of ffmpeg that does what a line of shell says, and leaves the ids of its processes in `pids`. */
const scripted = async (line: string) => {
  const folder = newFolder()
  const path = join(folder, 'ffmpeg')
  const pids = join(folder, 'pids')
  const say = '[ "$1" = -version ] && echo "ffmpeg version scripted" && exit 0'
  await writeFile(path, `#!/bin/sh\n${say}\necho $$ >> "${pids}"\n${line}\n`)
  await chmod(path, 0o755)
  const begun = async (count: number): Promise<number[]> =>
    vi.waitFor(
      async () => {
        // The shell creates the file before it writes into it.
        const lines = (await readFile(pids, 'utf8')).split('\n').filter(Boolean).map(Number)
        expect(lines).toHaveLength(count)
        return lines
      },
      { timeout: 10_000, interval: 10 },
    )
  return { path, begun }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

onUnix('ffmpeg is killed when the last one who waits has left', async () => {
  const { path, begun } = await scripted('exec sleep 60')
  const renderer = await newStudio({ ffmpeg: path })
  const leaving = [new AbortController(), new AbortController()]
  const asked = leaving.map(({ signal }) => renderer.open(video(), signal))
  const pids = await begun(1)
  leaving[0]?.abort(new Error('left'))
  await expect(asked[0]).rejects.toThrow('left')
  expect(pids.map(isAlive)).toEqual([true])
  leaving[1]?.abort(new Error('left too'))
  await expect(asked[1]).rejects.toThrow('left too')
  await expect.poll(() => pids.map(isAlive)).toEqual([false])
  await expect.poll(() => renderer.stats()).toMatchObject({ running: 0, renders: 0, failures: 0 })
})

onUnix('stopping ends all drawing and leaves no process and no unfinished file', async () => {
  const { path, begun } = await scripted('exec sleep 60')
  const folder = newFolder()
  const renderer = await newStudio({ folder, ffmpeg: path, rendersAtOnce: 2 })
  const asked = [1, 2, 3].map((seed) => renderer.open(video({ seed })))
  const refused = Promise.allSettled(asked)
  const pids = await begun(2)
  await renderer.stop()
  expect(pids.filter(isAlive)).toEqual([])
  for (const each of await refused) {
    expect(each).toMatchObject({
      status: 'rejected',
      reason: { name: 'EmulatorError', code: 'renderer-stopped' },
    })
  }
  expect(await readdir(folder)).toEqual([])
  await expect(renderer.open(picture())).rejects.toMatchObject({ code: 'renderer-stopped' })
})

onUnix('a failure names its cause and is tried again at the next call', async () => {
  const real = (await findFfmpeg())?.path
  const { path } = await scripted(
    `if mkdir "$0.tried" 2>/dev/null; then echo "out of paint" >&2; exit 1; fi; exec "${real}" "$@"`,
  )
  const renderer = await newStudio({ ffmpeg: path })
  await expect(renderer.open(video())).rejects.toMatchObject({
    ...{ name: 'EmulatorError', code: 'ffmpeg-failed' },
    message: expect.stringContaining('out of paint'),
  })
  expect((await renderer.open(video())).bytes).toBeGreaterThan(1000)
  expect(renderer.stats()).toMatchObject({ renders: 1, failures: 1 })
})

onUnix('a drawing that takes too long is given up, and the next one has its turn', async () => {
  const { path } = await scripted('exec sleep 60')
  const renderer = await newStudio({ ffmpeg: path, renderTimeoutMs: 300, rendersAtOnce: 1 })
  // The time of a drawing begins with its turn, so that the second one is given up only where it has had one.
  for (const failures of [1, 2]) {
    await expect(renderer.open(video({ seed: failures }))).rejects.toMatchObject({
      name: 'EmulatorError',
      code: 'render-timeout',
    })
    expect(renderer.stats()).toMatchObject({ failures, running: 0 })
  }
})

test('an ffmpeg that is not there spoils videos and nothing else', async () => {
  const renderer = await newStudio({ ffmpeg: '/nowhere/ffmpeg' })
  await expect(renderer.open(video())).rejects.toMatchObject({ code: 'ffmpeg-unusable' })
  expect((await renderer.open(picture())).bytes).toBeGreaterThan(1000)
  expect((await renderer.open({ kind: 'last-frame', of: video() })).bytes).toBeGreaterThan(1000)
})
