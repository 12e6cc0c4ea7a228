import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type {
  MediaInput,
  PictureSpec,
  TitleCard,
  VideoSpec,
} from '../../../../src/emulator/core/media/spec.js'
import { Renderer } from '../../../../src/emulator/media/render/renderer.js'
import { newFolder } from '../../../folder.js'

const card: TitleCard = {
  prompt: 'A lighthouse 灯塔',
  model: 'alpha-image-3.0-pro',
  size: '256*256',
  seed: 7,
  id: 'some-request',
}

export const picture = (change: Partial<PictureSpec> = {}): PictureSpec => ({
  ...{ kind: 'picture', width: 256, height: 256, seed: 7, card, hasWatermark: false, inputs: [] },
  ...change,
})

export const video = (change: Partial<VideoSpec> = {}): VideoSpec => ({
  ...{ kind: 'video', width: 320, height: 240, seconds: 3, framesPerSecond: 24, hasAudio: true, seed: 7 },
  ...{ card, hasWatermark: false, references: [] },
  ...change,
})

const blobs = new Map<string, Uint8Array>()

/** Stores bytes and gives the input that names them. */
export const inputOf = (bytes: Uint8Array, kind: MediaInput['kind'] = 'image'): MediaInput => {
  const blob = createHash('sha256').update(bytes).digest('hex')
  blobs.set(blob, bytes)
  return { kind, blob, label: 'an input' }
}

/** A renderer of the test's own, in a folder that does not exist yet. */
export const newStudio = async (
  change: Partial<ConstructorParameters<typeof Renderer>[0]> = {},
): Promise<Renderer> => {
  const renderer = new Renderer({
    folder: join(newFolder(), 'not', 'yet'),
    ...{ mediaDiskBytes: 2 ** 26, mediaMemoryBytes: 2 ** 24, rendersAtOnce: 2, renderTimeoutMs: 20_000 },
    readBlob: async (hash) => blobs.get(hash),
    // Drawn anew by each test, unless it names a folder.
    mediaCache: 'none',
    ...change,
  })
  onTestFinished(() => renderer.stop())
  return renderer
}
