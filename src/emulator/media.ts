import { join } from 'node:path'
import { mediaMayComeFrom } from '../server/callbacks/address.js'
import { createFixtures } from '../server/fixtures/fixtures.js'
import { createBlobStore } from '../server/media/blobs/index.js'
import { createFetchBytes } from '../server/media/gather/fetch-bytes.js'
import { createGather } from '../server/media/gather/gather.js'
import { createReadAsset } from '../server/media/gather/read-asset.js'
import { createReadOwn } from '../server/media/gather/read-own.js'
import { createStudio } from '../server/media/studio/index.js'
import { temporaryFolder } from '../server/media/temporary-folder.js'
import { createResolveResult } from '../server/results/results.js'
import type { Store } from '../server/store/store.js'
import { createUploads } from '../server/uploads/uploads.js'
import type { Ground } from './ground.js'

const FETCH_TIMEOUT_MS = 10_000

/** The bytes: those that come in with calls and from elsewhere, and those that are drawn. */
export type Media = ReturnType<typeof createMedia>

export const createMedia = (ground: Ground, store: Store) => {
  const { settings, keeping, secret, wall, bounds, troubles } = ground
  const folder = settings.mediaFolder ?? temporaryFolder()
  const blobs = createBlobStore({
    folder: keeping.mediaFolder ?? join(folder, 'inputs'),
    isKept: keeping.mediaFolder !== undefined,
    maxBytes: settings.inputBytes,
    bounds,
    troubles,
  })
  const studio = createStudio({
    folder: join(folder, 'drawn'),
    maxDiskBytes: settings.mediaDiskBytes,
    maxMemoryBytes: settings.mediaMemoryBytes,
    rendersAtOnce: ground.rendersAtOnce,
    rendersWaiting: settings.rendersWaiting,
    bounds,
    renderTimeoutMs: settings.renderTimeoutMs,
    readBlob: (hash) => blobs.read(hash),
    troubles,
    ...(settings.ffmpeg === undefined ? {} : { ffmpegPath: settings.ffmpeg }),
  })
  const fixtures = createFixtures()
  const resolve = createResolveResult(store, secret, wall)
  const gather = createGather({
    settings,
    blobs,
    readOwn: createReadOwn({ fixtures, resolve, studio }),
    readAsset: createReadAsset(store, wall),
    fetchBytes: createFetchBytes({
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: settings.videoBodyBytes,
      mayConnect: mediaMayComeFrom[settings.fetchMedia],
    }),
  })
  const uploads = createUploads({ settings, folder: join(folder, 'uploads'), blobs, bounds })
  return { fixtures, blobs, studio, resolve, gather, uploads }
}
