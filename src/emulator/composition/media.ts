import { join } from 'node:path'
import type { Store } from '../accounts/store.js'
import type { ResultLookup } from '../core/result.js'
import { type BlobStore, createSharedBlobs, FolderBlobStore } from '../media/files/blob-store.js'
import { defaultMediaFolder } from '../media/files/temporary-folders.js'
import { createFixtures, type Fixtures } from '../media/fixtures.js'
import { Renderer } from '../media/render/renderer.js'
import { createMediaFetcher } from '../media/resolve/fetch-media.js'
import {
  createAssetReader,
  createMediaResolver,
  createOwnMediaReader,
  type ResolveMedia,
} from '../media/resolve/resolve-media.js'
import { Uploads } from '../media/uploads/uploads.js'
import { mediaConnectPolicies } from '../net/address-guard.js'
import { createResultLookup } from '../service/results.js'
import type { Base } from './base.js'
import { type EmulatorDependencies, writeWarning } from './dependencies.js'

/** Media: those that come in with calls and from elsewhere, and those that are rendered. */
export interface MediaParts {
  readonly blobs: BlobStore
  readonly renderer: Renderer
  readonly fixtures: Fixtures
  /** Finds the result that a URL names. */
  readonly resolve: ResultLookup
  readonly resolveMedia: ResolveMedia
  readonly uploads: Uploads
}

export const createMedia = (base: Base, store: Store, injected: EmulatorDependencies): MediaParts => {
  const { settings, secret, persistence, rendersAtOnce, quotas, health } = base
  const mediaFolder = settings.mediaFolder ?? defaultMediaFolder()
  const ownBlobs = new FolderBlobStore({
    folder: persistence?.mediaFolder ?? join(mediaFolder, 'inputs'),
    isKept: persistence?.mediaFolder !== undefined,
    fsync: settings.stateFsync,
    maxBytes: settings.inputBytes,
    quotas,
    health,
  })
  const replicas = persistence?.shared
  const blobs = replicas === undefined ? ownBlobs : createSharedBlobs(ownBlobs, replicas)
  const renderer = new Renderer({
    ...settings,
    folder: join(mediaFolder, 'drawn'),
    rendersAtOnce,
    readBlob: (hash) => blobs.read(hash),
    onCacheTrouble: injected.onWarning ?? writeWarning,
    quotas,
    health,
  })
  const fixtures = createFixtures()
  const resolve = createResultLookup(store, secret)
  const { wrapMediaResolver = (resolver) => resolver } = injected
  const resolveMedia = createMediaResolver({
    settings,
    blobs,
    readOwnMedia: createOwnMediaReader({ fixtures, resolve, renderer }),
    readAsset: createAssetReader(store),
    fetchMedia: createMediaFetcher({
      timeoutMs: FETCH_TIMEOUT_MS,
      maxBytes: settings.videoBodyBytes,
      mayConnect: mediaConnectPolicies[settings.fetchMedia],
    }),
  })
  const uploads = new Uploads({
    settings,
    folder: join(mediaFolder, 'uploads'),
    blobs,
    quotas,
    replaceFacts: injected.inspectUpload,
  })
  return { blobs, renderer, fixtures, resolve, resolveMedia: wrapMediaResolver(resolveMedia), uploads }
}

const FETCH_TIMEOUT_MS = 10_000
