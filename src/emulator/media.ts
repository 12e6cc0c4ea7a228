import { join } from 'node:path'
import { mediaConnectPolicies } from '../server/callbacks/address.js'
import { createFixtures } from '../server/fixtures/fixtures.js'
import { createBlobStore } from '../server/media/blobs/index.js'
import { createMediaFetcher } from '../server/media/gather/fetch-bytes.js'
import { createMediaResolver } from '../server/media/gather/gather.js'
import { createAssetReader } from '../server/media/gather/read-asset.js'
import { createOwnMediaReader } from '../server/media/gather/read-own.js'
import { createRenderer } from '../server/media/studio/index.js'
import { defaultMediaFolder } from '../server/media/temporary-folder.js'
import { createResolveResult } from '../server/results/results.js'
import type { Store } from '../server/store/store.js'
import { createUploads } from '../server/uploads/uploads.js'
import type { Ground } from './ground.js'

const FETCH_TIMEOUT_MS = 10_000

/** The bytes: those that come in with calls and from elsewhere, and those that are drawn. */
export type Media = ReturnType<typeof createMedia>

export const createMedia = (ground: Ground, store: Store) => {
  const { settings, persistence, secret, wall, bounds, troubles } = ground
  const folder = settings.mediaFolder ?? defaultMediaFolder()
  const blobs = createBlobStore({
    folder: persistence.mediaFolder ?? join(folder, 'inputs'),
    isKept: persistence.mediaFolder !== undefined,
    maxBytes: settings.inputBytes,
    bounds,
    troubles,
  })
  const renderer = createRenderer({
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
  const resolveMedia = createMediaResolver({
    settings,
    blobs,
    readOwnMedia: createOwnMediaReader({ fixtures, resolve, renderer }),
    readAsset: createAssetReader(store, wall),
    fetchMedia: createMediaFetcher({
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: settings.videoBodyBytes,
      mayConnect: mediaConnectPolicies[settings.fetchMedia],
    }),
  })
  const uploads = createUploads({ settings, folder: join(folder, 'uploads'), blobs, bounds })
  return { fixtures, blobs, renderer, resolve, resolveMedia, uploads }
}
