import { createHash } from 'node:crypto'
import { createRender } from '../../../../../src/emulator/media/render/render.js'

/** A picture with letters of every kind. Run as a program with `print`, it prints the SHA-256 of the bytes. */
export const drawSample = (): Promise<Buffer> => {
  const card = { prompt: 'Letters 字母 \u{1f600}', model: 'm', size: '256*256', seed: 1, id: 'i' }
  const { signal } = new AbortController()
  const { render } = createRender({
    ...{ folder: '/nowhere', renderTimeoutMs: 60_000, ended: signal },
    ...{ mediaMemoryBytes: 1, readBlob: async () => undefined },
  })
  const spec = { kind: 'picture', width: 256, height: 256, seed: 1, hasWatermark: true, inputs: [] } as const
  return render({ ...spec, card }, signal)
}

if (process.argv[2] === 'print') {
  console.log(
    createHash('sha256')
      .update(await drawSample())
      .digest('hex'),
  )
}
