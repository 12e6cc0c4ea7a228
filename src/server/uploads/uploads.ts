import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Asset } from '../../core/asset/asset.js'
import type { Body, Change, FormShape } from '../../core/operation.js'
import type { Settings } from '../../core/settings.js'
import { noQuotas, type Quotas } from '../bounds/bounds.js'
import { ClientDisconnected } from '../http/read-body.js'
import type { BlobStore } from '../media/blobs/index.js'
import { removeStaleTemporaries, temporaryName } from '../media/leftovers.js'
import { explainSystemError } from '../system-error.js'
import { createFileHashes } from './file-hashes.js'
import { tooLarge, troubleWith } from './form-trouble.js'
import { createChunkList } from './pieces.js'
import { isGone } from './read-form.js'
import { createTakeIn } from './take-in.js'

export interface UploadParts {
  readonly settings: Settings
  /** Where files are while they come in. What is made there goes when the uploads are stopped. */
  readonly folder: string
  readonly blobs: BlobStore
  readonly bounds?: Quotas
}

/** Takes in the files of multipart forms. */
export interface Uploads {
  /**
   * Reads a form; its file is then in the blob store, pinned. What is wrong with the form is a body that says so.
   * @throws ClientGone when the caller went away in the middle
   */
  receive(request: IncomingMessage, form: FormShape): Promise<Received>
  /** Unpins the file of a form that no change keeps. */
  conclude(body: Body, changes: readonly Change[]): Promise<void>
  /** Pins the files of assets that have come back; answers those whose files are not there any more. */
  hold(assets: Iterable<Asset>): Promise<Asset[]>
  /** Unpins the files of assets that are about to go. */
  letGo(assets: Iterable<Asset>): Promise<void>
  /** Ends what is coming in, and removes what was written of it. */
  stop(): Promise<void>
}

export interface Received {
  readonly body: Body
  readonly bytes: number
}

// What the boundaries, headers and fields of a form may have besides its file.
const FORM_BYTES = 2 ** 20

export const createUploads = ({ settings, folder, blobs, bounds = noQuotas }: UploadParts): Uploads => {
  const home = join(folder, temporaryName())
  const hashes = createFileHashes()
  const takeIn = createTakeIn(blobs, { hashes, pieces: createChunkList() })
  const reading = new Map<IncomingMessage, Promise<unknown>>()
  bounds.measure({ uploads: () => reading.size })
  let isMade = false
  let isStopped = false

  const receive = async (request: IncomingMessage, form: FormShape): Promise<Received> => {
    const bytes = Number(request.headers['content-length'] ?? 0)
    const refused = refusalOf(request, form, bytes)
    if (refused !== undefined) return { body: refused, bytes }
    const work = read(request, form)
    reading.set(request, work)
    bounds.saw('uploads', reading.size)
    try {
      return { body: await work, bytes }
    } finally {
      reading.delete(request)
    }
  }

  const refusalOf = (request: IncomingMessage, form: FormShape, bytes: number): Body | undefined => {
    if (isStopped) return { kind: 'not-kept', detail: 'The emulator was stopped' }
    const contentType = request.headers['content-type'] ?? ''
    if (!/^multipart\/form-data\b/i.test(contentType))
      return {
        kind: 'unreadable',
        detail: `The request must be a form (Content-Type: multipart/form-data), found ${contentType || 'none'}`,
      }
    const most = form.maxBytes(settings)
    if (bytes > most.bytes + FORM_BYTES) return tooLarge(most)
    if (reading.size < settings.uploadsAtOnce) return undefined
    bounds.refuse('uploads')
    return {
      kind: 'busy',
      detail: `${reading.size} uploads are being read, and the setting uploadsAtOnce is ${settings.uploadsAtOnce}`,
    }
  }

  const read = async (request: IncomingMessage, form: FormShape): Promise<Body> => {
    const most = form.maxBytes(settings)
    const limits = { fileField: form.fileField, maxBytes: most.bytes }
    const path = join(home, randomUUID())
    let body: Body | undefined
    try {
      await makeHome()
      body = await takeIn(request, path, limits)
    } catch (error) {
      if (isGone(request)) throw new ClientDisconnected()
      return troubleWith(explainSystemError('The file could not be written', error), form.fileField, most)
    } finally {
      // The file of a form that was read whole has moved into the blob store.
      if (isMade && body?.kind !== 'form') await rm(path, { force: true }).catch(() => undefined)
    }
    return body
  }

  const makeHome = async (): Promise<void> => {
    if (isMade) return
    await removeStaleTemporaries(folder)
    await mkdir(home, { recursive: true, mode: 0o700 })
    isMade = true
  }

  return {
    receive,
    conclude: async (body, changes) => {
      if (body.kind !== 'form') return
      const kept = changes.flatMap((change) => ('putAsset' in change ? [change.putAsset.blob] : []))
      for (const { blob } of body.files) if (!kept.includes(blob)) await blobs.unpin(blob)
    },
    hold: async (assets) => {
      const missing: Asset[] = []
      for (const asset of assets) if (!(await blobs.pin(asset.blob))) missing.push(asset)
      return missing
    },
    letGo: async (assets) => {
      for (const { blob } of assets) await blobs.unpin(blob)
    },
    stop: async () => {
      isStopped = true
      for (const request of reading.keys()) request.destroy()
      await Promise.allSettled(reading.values())
      await hashes.stop()
      if (isMade) await rm(home, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}
