import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { PictureSpec } from '../../../../src/emulator/core/media/spec.js'
import { meanColour, plain } from './pixels.js'
import { inputOf, newStudio, picture } from './specs.js'

const drawn = async (spec: PictureSpec): Promise<Buffer> => {
  const renderer = await newStudio()
  return readFile((await renderer.open(spec)).path)
}

test.each([
  [256, 256],
  [256, 2048],
  [2048, 256],
  [1001, 577],
  [2688, 1536],
])('a picture of %i x %i has exactly these pixels, and no alpha', async (width, height) => {
  const metadata = await sharp(await drawn(picture({ width, height }))).metadata()
  expect(metadata).toMatchObject({ format: 'png', width, height, channels: 3 })
})

test('the same spec gives the same bytes in another renderer', async () => {
  const [one, other] = await Promise.all([drawn(picture()), drawn(picture())])
  expect(one.equals(other)).toBe(true)
})

test.each([
  ['seed', { seed: 8 }],
  ['index', { card: { ...picture().card, index: '2/4' } }],
  ['prompt', { card: { ...picture().card, prompt: 'A barn' } }],
])('another %s gives another picture', async (_, change) => {
  expect((await drawn(picture(change))).equals(await drawn(picture()))).toBe(false)
})

test('the watermark changes the bottom-right corner and leaves the sky as it is', async () => {
  const size = { width: 512, height: 512 }
  const [plainly, marked] = [
    await drawn(picture(size)),
    await drawn(picture({ ...size, hasWatermark: true })),
  ]
  const corner = { left: 440, top: 480, width: 64, height: 26 }
  const sky = { left: 0, top: 0, width: 512, height: 128 }
  expect(await meanColour(marked, corner)).not.toEqual(await meanColour(plainly, corner))
  expect(await meanColour(marked, sky)).toEqual(await meanColour(plainly, sky))
})

test('an input is shown with its own pixels', async () => {
  const red = inputOf(await plain(400, 400, '#e01020'))
  const pixels = await sharp(await drawn(picture({ width: 512, height: 512, inputs: [red] })))
    .raw()
    .toBuffer()
  let shown = 0
  for (let at = 0; at < pixels.length; at += 3) {
    if (pixels[at] === 0xe0 && pixels[at + 1] === 0x10 && pixels[at + 2] === 0x20) shown += 1
  }
  expect(shown).toBeGreaterThan(150 * 150)
})

test('a prompt of 7000 characters is cut, and everything still fits', async () => {
  const prompt = '水'.repeat(7000)
  const image = await drawn(picture({ card: { ...picture().card, prompt } }))
  expect(await sharp(image).metadata()).toMatchObject({ width: 256, height: 256 })
})

test.each([
  ['an image at another host', { kind: 'image', blob: null, label: 'far away' }],
  ['a video', { kind: 'video', blob: null, label: 'a film' }],
  ['an audio', { kind: 'audio', blob: null, label: 'a song' }],
] as const)('%s is a tile of its own look', async (_, input) => {
  const size = { width: 512, height: 512 }
  const without = await drawn(picture(size))
  expect((await drawn(picture({ ...size, inputs: [input] }))).equals(without)).toBe(false)
})

test('an input whose bytes are gone is an error that says so', async () => {
  const renderer = await newStudio({ readBlob: async () => undefined })
  const input = inputOf(await plain(8, 8, '#fff'))
  await expect(renderer.open(picture({ inputs: [input] }))).rejects.toMatchObject({
    name: 'EmulatorError',
    code: 'input-missing',
  })
})

const thin = { wide: await plain(1000, 10, '#e01020'), tall: await plain(10, 1000, '#e01020') }

test.each([
  [512, 512, 1],
  [512, 512, 3],
  [182, 1456, 1],
  [182, 1456, 3],
  [1456, 182, 2],
  [1456, 182, 3],
])('thin inputs fit a picture of %i x %i, %i of them', async (width, height, count) => {
  for (const bytes of [thin.wide, thin.tall]) {
    const inputs = Array.from({ length: count }, () => inputOf(bytes))
    const image = await drawn(picture({ width, height, inputs }))
    expect(await sharp(image).metadata()).toMatchObject({ width, height })
  }
})
