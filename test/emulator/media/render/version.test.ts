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
    version: 9,
    picture: '3fa1db156698d0025610ae7a7662ad983de85a468d50c57a0e4028bd4cb2141d',
    lastFrame: 'fc743062e6e84c5132e51fa90c8a9acd331fc5b6c62202130e3c8da3439a2252',
  })
})
