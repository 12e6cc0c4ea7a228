import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import installer from '@ffmpeg-installer/ffmpeg'
import { describe, expect, test } from 'vitest'
import { clips, clipsBreakingALimit } from '../../../scripts/fixtures/clips.js'
import { damagedFrom } from '../../../scripts/fixtures/damaged.js'
import { pictures as madePictures, picturesAtTheEdge } from '../../../scripts/fixtures/pictures.js'
import { sounds } from '../../../scripts/fixtures/sounds.js'
import type { AudioFacts, Probe, VideoFacts } from '../../../src/emulator/core/media/input.js'
import { probe } from '../../../src/emulator/media/probe.js'

interface Fixture {
  readonly name: string
  readonly kind: Probe['kind']
  readonly facts: Probe
  readonly note: string
  readonly breaks?: string
}

const folder = new URL('../../../fixtures/media/', import.meta.url)
const index: readonly Fixture[] = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))
const of = (kind: Probe['kind']) => index.filter((fixture) => fixture.kind === kind)

test('every file is listed once, and there is nothing else', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.json')
  expect(index.map(({ name }) => name).sort()).toEqual(files.sort())
})

test('the list says of every file what the script says that makes it', () => {
  const samples = [...madePictures, ...picturesAtTheEdge, ...clips, ...clipsBreakingALimit, ...sounds]
  const made = [...samples, ...damagedFrom(() => new Uint8Array())].map(({ name, note, breaks }) => ({
    ...{ name, note },
    ...(breaks && { breaks }),
  }))
  expect(index.map(({ kind: _, facts: __, ...expected }) => expected)).toEqual(made)
})

test('the files stay small enough to be installed with the package', () => {
  const bytes = index.reduce((sum, { name }) => sum + statSync(new URL(name, folder)).size, 0)
  expect(bytes).toBeLessThan(1.5 * 2 ** 20)
})

test.each(index.map((fixture) => [fixture.name, fixture] as const))(
  '%s has the facts that the list says',
  async (name, fixture) => {
    expect(await probe(readFileSync(new URL(name, folder)))).toEqual(fixture.facts)
    expect(fixture.kind).toBe(fixture.facts.kind)
  },
)

/** Written down by hand from what the pictures were made to be. */
const pictures: Readonly<Record<string, readonly [format: string, width: number, height: number]>> = {
  'landscape.jpg': ['jpeg', 512, 384],
  'portrait.jpeg': ['jpeg', 384, 512],
  'turned.jpg': ['jpeg', 384, 512],
  'square.png': ['png', 480, 480],
  'landscape.bmp': ['bmp', 400, 300],
  'landscape.tiff': ['tiff', 512, 384],
  'landscape.webp': ['webp', 512, 384],
  'animated.webp': ['webp', 480, 384],
  'landscape.gif': ['gif', 512, 384],
  'animated.gif': ['gif', 480, 384],
  'landscape.heic': ['heic', 512, 384],
  'turned.heic': ['heic', 384, 512],
  'portrait.heif': ['heif', 384, 512],
  'first-frame.png': ['png', 640, 360],
  'last-frame.png': ['png', 640, 360],
  'side-300.png': ['png', 300, 300],
  'side-299.png': ['png', 299, 400],
  'side-256.png': ['png', 256, 256],
  'side-255.png': ['png', 255, 300],
  'side-5760.png': ['png', 5760, 2400],
  'side-5761.png': ['png', 5761, 2400],
  'side-6000.png': ['png', 6000, 2500],
  'side-6001.png': ['png', 6001, 2500],
  'ratio-2.5.png': ['png', 1000, 400],
  'too-wide.png': ['png', 1000, 399],
  'ratio-0.4.png': ['png', 400, 1000],
  'too-tall.png': ['png', 399, 1000],
  'landscape.avif': ['avif', 512, 384],
  'png-named.jpg': ['png', 480, 480],
}

test('every picture has the format and size that it was made to have', () => {
  const listed = of('image').map(({ name, facts }) =>
    facts.kind === 'image' ? [name, [facts.format, facts.width, facts.height]] : [],
  )
  expect(Object.fromEntries(listed)).toEqual(pictures)
})

test('only the fixtures that are unreadable on purpose cannot be read', () => {
  expect(
    Object.fromEntries(of('unreadable').map(({ name, facts }) => [name, 'reason' in facts && facts.reason])),
  ).toEqual({
    'text-named.png': 'unknown',
    'empty.png': 'unknown',
    'cut-short.png': 'damaged',
    'cut-short.jpg': 'damaged',
    'cut-short.heic': 'damaged',
    'cut-short.mp4': 'damaged',
    'cut-short.wav': 'damaged',
    'cut-short.mp3': 'damaged',
    'bomb.png': 'too-large-to-read',
    'endless-box.mp4': 'damaged',
  })
})

/** What ffmpeg says of a file, which it does on its way to complaining that there is no output. */
const ffmpegSays = (name: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(installer.path, ['-hide_banner', '-i', fileURLToPath(new URL(name, folder))], (_, __, words) =>
      resolve(words),
    )
  })

const found = (words: string, pattern: RegExp): string | undefined => pattern.exec(words)?.[1]

const secondsIn = (words: string): number => {
  const [, minutes = '', seconds = ''] = /Duration: 00:(\d+):([\d.]+)/.exec(words) ?? []
  return Number(minutes) * 60 + Number(seconds)
}

const codecNames: Readonly<Record<string, string>> = {
  hevc: 'h265',
  vp9: 'vp09',
  mpeg4: 'mp4v',
  pcm_s16le: 'sowt',
}
const codecOf = (name: string | undefined): string | undefined => codecNames[name ?? ''] ?? name

// The binary is an optional dependency, and the list was made with it: without it there is nothing to compare with.
describe.skipIf(!existsSync(installer.path))('ffmpeg agrees', () => {
  const videos = of('video').map(({ name, facts }) => [name, facts as VideoFacts] as const)
  const sounds = of('audio').map(({ name, facts }) => [name, facts as AudioFacts] as const)

  test.each(videos)('on %s', async (name, facts) => {
    const words = await ffmpegSays(name)
    const isTurned = name === 'clip-turned.mp4'
    const [width, height] = isTurned ? [facts.height, facts.width] : [facts.width, facts.height]
    expect(words).toContain(` ${width}x${height}`)
    expect(codecOf(found(words, /Video: (\w+)/))).toBe(facts.videoCodec)
    expect(codecOf(found(words, /Audio: (\w+)/))).toBe(facts.audioCodec)
    expect(Math.abs(Number(found(words, /([\d.]+) fps/)) - facts.framesPerSecond)).toBeLessThanOrEqual(0.005)
    // The file lasts as long as its sound does, which may go on for up to two frames of sound, or four in fragments.
    const behind = secondsIn(words) - facts.seconds
    expect(behind).toBeGreaterThan(-0.01)
    expect(behind).toBeLessThan(0.1)
  })

  test.each(sounds)('on %s', async (name, facts) => {
    const words = await ffmpegSays(name)
    expect(found(words, /Audio: (\w+)/)).toBe(facts.format === 'mp3' ? 'mp3' : 'pcm_u8')
    // ffmpeg counts the silence that the encoder added to an MP3, which is up to three frames.
    const silence = secondsIn(words) - facts.seconds
    expect(silence).toBeGreaterThan(-0.01)
    expect(silence).toBeLessThan(facts.format === 'mp3' ? 0.11 : 0.01)
  })
})
