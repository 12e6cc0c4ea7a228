import { hash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { noQuotas, type Quotas } from '../../accounts/quotas.js'
import type { Change, FormShape } from '../../core/contract.js'
import { EmulatorError } from '../../core/errors.js'
import { readStandIn } from '../../core/media/stand-in.js'
import type { Asset } from '../../core/model/asset.js'
import type { Body, FormFile } from '../../core/model/call.js'
import type { Settings } from '../../core/settings.js'
import { explainSystemError } from '../../core/system-error.js'
import { ClientDisconnected } from '../../net/client-disconnected.js'
import type { BlobStore } from '../files/blob-store.js'
import { removeStaleTemporaries, temporaryName } from '../files/temporary-folders.js'
import { oneByOne } from '../one-by-one.js'
import { createFileHashes } from './file-hashes.js'
import type { StorageMeans } from './file-storage.js'
import { type FormLimits, isGone, type ReadFile, readForm, tooLarge, troubleWith } from './form.js'
import { createChunkList } from './pieces.js'

interface UploadParts {
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

/** Reads one form into a body: its file is streamed to `path`, looked at, and moved into the blob store. */
const createTakeIn = (blobs: BlobStore, means: StorageMeans) => {
  const lookAt = createLookAt()

  const keep = async (path: string, file: ReadFile): Promise<FormFile> => {
    const { field, name, bytes } = file
    const kept = { field, name, bytes, ...(await lookAt(path, file)) }
    await blobs.putFile(path, { hash: kept.blob, bytes: kept.bytes })
    if (!(await blobs.pin(kept.blob)))
      throw new EmulatorError('The file had to make room for other inputs.', {
        code: 'inputs-full',
        hint: 'Raise the setting inputBytes.',
      })
    return kept
  }

  return async (request: IncomingMessage, path: string, limits: FormLimits): Promise<Body> => {
    const { fields, file } = await readForm(request, path, limits, means)
    const repeated = Object.keys(fields).find((name) => typeof fields[name] !== 'string')
    if (repeated !== undefined)
      return {
        kind: 'unreadable',
        detail: `The form has the field ${JSON.stringify(repeated)} more than once`,
      }
    return {
      kind: 'form',
      fields: fields as Record<string, string>,
      files: file === undefined ? [] : [await keep(path, file)],
    }
  }
}

/** `blob`, and `bytes` where they are there, are those of the medium that a stand-in stands for. */
type Seen = Pick<FormFile, 'format' | 'probe' | 'blob'> & Partial<Pick<FormFile, 'bytes'>>

// Files up to this size are read into memory that is kept, which spares the collector ten megabytes an upload.
const KEPT_BYTES = 16 * 2 ** 20

/** Finds out what a file at a path is. It is in memory meanwhile, so that one is looked at after the other. */
const createLookAt = (): ((path: string, file: ReadFile) => Promise<Seen>) => {
  const inTurn = oneByOne()
  let kept: Buffer = Buffer.alloc(0)

  const memoryFor = (size: number): Buffer => {
    if (size > KEPT_BYTES) return Buffer.allocUnsafeSlow(size)
    if (kept.length < size) kept = Buffer.allocUnsafeSlow(size)
    return kept
  }

  return (path, file) =>
    inTurn(async () => {
      const bytes = await readInto(memoryFor(file.bytes), path, file.bytes)
      const { probe, sniff } = await import('../probe.js')
      const format = sniff(bytes)
      return {
        ...{ probe: await probe(bytes), blob: file.hash ?? hash('sha256', bytes, 'hex') },
        ...(format === undefined ? {} : { format }),
        ...saidByStandIn(bytes),
      }
    })
}

const saidByStandIn = (file: Uint8Array): Partial<FormFile> => {
  const standIn = readStandIn(file)
  if (standIn === undefined) return {}
  const { sha256, bytes, format } = standIn
  return { blob: sha256, bytes, ...(format === undefined ? {} : { format }) }
}

// One read of the whole: readFile goes in small steps, which for ten megabytes takes ten times as long.
const readInto = async (memory: Buffer, path: string, size: number): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(memory, 0, size, 0)
    return memory.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
