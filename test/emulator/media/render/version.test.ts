import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MediaSpec } from '../../../../src/emulator/core/media/spec.js'
import { platform, RENDERER_VERSION } from '../../../../src/emulator/version.js'
import { newStudio, picture, video } from './specs.js'

const pixelHash = async (spec: MediaSpec): Promise<string> => {
  const renderer = await newStudio()
  const pixels = await sharp((await renderer.open(spec)).path)
    .raw()
    .toBuffer()
  return createHash('sha256').update(pixels).digest('hex')
}

// Text is drawn as outlines of the package's own font. Each platform has its own build of the library that rasterises them; on
// these the pixels were seen to be the same (scripts/try-platforms.mjs).
const COMPARED = ['linux-x64', 'linux-arm64', 'win32-x64']

test.skipIf(!COMPARED.includes(platform))('pixels change with RENDERER_VERSION alone', async () => {
  const rendered = {
    version: RENDERER_VERSION,
    picture: await pixelHash(picture({ width: 512, height: 512, hasWatermark: true })),
    lastFrame: await pixelHash({ kind: 'last-frame', of: video() }),
  }
  expect(
    rendered,
    'Where the pixels have changed: raise RENDERER_VERSION in src/emulator/version.ts, and write it and the new hashes here.',
  ).toEqual({
    version: 10,
    picture: 'd18f8335e1dc252d25ec2942d9229e036e42930941de980e709020d9cffb2322',
    lastFrame: '5ec78cc79371067422febb52df2869748060910ba60faa3770e7cb5bc64601a0',
  })
})
