import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { VideoSpec } from '../../../src/emulator/core/media/spec.js'
import { probe } from '../../../src/emulator/media/probe.js'
import { findFfmpeg } from '../../../src/emulator/media/render/ffmpeg.js'
import { Renderer } from '../../../src/emulator/media/render/renderer.js'

const spec: VideoSpec = {
  kind: 'video',
  width: 864,
  height: 496,
  seconds: 4,
  framesPerSecond: 24,
  hasAudio: true,
  seed: 7,
  card: { prompt: 'A lighthouse', model: 'videoa-2-0-260128', size: '480p 16:9 4s', seed: 7, id: 'cgt-1' },
  hasWatermark: false,
  references: [],
}

// A result is often the input of the next task, so what the emulator makes must be read as what was asked for.
test.skipIf(!(await findFfmpeg()))(
  'a video that the emulator has made has the facts that it was ordered with',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'own-video-'))
    const limits = { mediaDiskBytes: 1e8, mediaMemoryBytes: 1e8, rendersAtOnce: 1, renderTimeoutMs: 20_000 }
    const renderer = new Renderer({ folder, ...limits, readBlob: async () => undefined })
    try {
      const file = await renderer.open(spec)
      const facts = {
        width: 864,
        height: 496,
        seconds: 4,
        framesPerSecond: 24,
        videoCodec: 'h264',
        audioCodec: 'aac',
      }
      expect(await probe(await readFile(file.path))).toEqual({
        kind: 'video',
        format: 'mp4',
        bytes: file.bytes,
        ...facts,
      })
      file.release()
    } finally {
      await renderer.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
)
