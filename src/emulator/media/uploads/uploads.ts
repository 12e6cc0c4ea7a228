import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createMutex, lateImport } from '../../concurrency.js'
import type { Asset } from '../../core/asset.js'
import type { Change, FormShape } from '../../core/contract.js'
import { counted } from '../../core/count-words.js'
import { ClientDisconnected, EmulatorError, explainSystemError, isStoreError } from '../../core/errors.js'
import type { Body, FormFile } from '../../core/model/call.js'
import { noQuotaReporter, type QuotaReporter } from '../../core/quotas.js'
import type { Settings } from '../../core/settings.js'
import type { BlobStore } from '../files/blob-store.js'
import { makeFolder, removeStaleTemporaries, temporaryName } from '../files/temporary-folders.js'
import {
  formErrorBody,
  hasDisconnected,
  headProblem,
  readForm,
  tooLarge,
  type UploadedFile,
  unreadable,
  withoutParts,
} from './form.js'

interface UploadsOptions {
  readonly settings: Settings
  /** For files while they come in. What is made there is removed when the uploads are stopped. */
  readonly folder: string
  readonly blobs: BlobStore
  readonly quotas?: QuotaReporter
  /** Replaces the facts of an uploaded file. Default: they stay. */
  readonly replaceFacts?: (file: FormFile) => FormFile
}

/** Maximum size of the boundaries, headers and fields of a form, besides its file. */
export const FORM_BYTES = 2 ** 20

/** Uploads: reads multipart forms, and puts their files into the blob store. */
export class Uploads {
  readonly #options: UploadsOptions
  readonly #quotas: QuotaReporter
  /** Folder of this run. */
  readonly #home: string
  // A file is in memory while it is inspected, so that only one is at a time.
  readonly #inspecting = createMutex()
  readonly #reading = new Map<IncomingMessage, Promise<unknown>>()
  /** Pins that were not made since the file was missing, by its hash: as many of its later unpins do nothing. */
  readonly #missingPins = new Map<string, number>()
  #isStopped = false
  #cleaned: Promise<void> | undefined

  constructor(options: UploadsOptions) {
    this.#options = options
    this.#quotas = options.quotas ?? noQuotaReporter
    this.#home = join(options.folder, temporaryName())
    this.#quotas.measure({ uploads: () => this.#reading.size })
  }

  /**
   * Reads a form; its file is then in the blob store, pinned. What is wrong with the form is a body that says so.
   * @throws ClientDisconnected when the client goes away before the form is read; EmulatorError where the shared store is away
   */
  async receive(request: IncomingMessage, form: FormShape): Promise<{ body: Body; bytes: number }> {
    const bytes = Number(request.headers['content-length'] ?? 0)
    const refused = this.#refusalOf(request, form, bytes)
    if (refused !== undefined) return { body: refused, bytes }
    // A form in chunks does not say how long it is.
    let received = 0
    const work = this.#read(request, form, (chunk) => {
      received += chunk.length
    })
    this.#reading.set(request, work)
    this.#quotas.observe('uploads', this.#reading.size)
    try {
      const body = await work
      // It was not read to its end.
      if (body.kind === 'too-large') return { body, bytes: Math.max(bytes, body.limit + 1) }
      const { replaceFacts = (file) => file } = this.#options
      const form = body.kind === 'form' ? { ...body, files: body.files.map(replaceFacts) } : body
      return { body: form, bytes: bytes || received }
    } finally {
      this.#reading.delete(request)
    }
  }

  /** Unpins the file of a form that no change keeps. */
  async complete(body: Body, changes: readonly Change[]): Promise<void> {
    if (body.kind !== 'form') return
    const kept = changes.filter((change) => 'putAsset' in change).map(({ putAsset }) => putAsset.blob)
    for (const { blob } of body.files) if (!kept.includes(blob)) await this.#options.blobs.unpin(blob)
  }

  /** Pins the files of restored assets; returns the assets whose files are missing. */
  async pinAssets(assets: Iterable<Asset>): Promise<Asset[]> {
    const missing: Asset[] = []
    for (const asset of assets) {
      if (await this.#options.blobs.pin(asset.blob)) continue
      missing.push(asset)
      this.#missingPins.set(asset.blob, (this.#missingPins.get(asset.blob) ?? 0) + 1)
    }
    return missing
  }

  /** Unpins the files of assets that are removed. */
  async unpinAssets(assets: Iterable<Asset>): Promise<void> {
    for (const { blob } of assets) {
      const count = this.#missingPins.get(blob) ?? 0
      if (count > 1) this.#missingPins.set(blob, count - 1)
      else if (!this.#missingPins.delete(blob)) await this.#options.blobs.unpin(blob)
    }
  }

  /** Aborts what is coming in, and removes what was written of it. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const request of this.#reading.keys()) request.destroy()
    await Promise.allSettled(this.#reading.values())
    await rm(this.#home, { recursive: true, force: true }).catch(() => undefined)
  }

  #refusalOf(request: IncomingMessage, form: FormShape, bytes: number): Body | undefined {
    if (this.#isStopped) return { kind: 'not-kept', detail: 'The emulator was stopped' }
    const { settings } = this.#options
    const max = form.maxBytes(settings)
    const refused = headProblem(request)
    if (refused !== undefined) return refused
    if (bytes > max.bytes + FORM_BYTES) return tooLarge(max)
    const { uploadsAtOnce } = settings
    const { size } = this.#reading
    if (size < uploadsAtOnce) return undefined
    this.#quotas.refuse('uploads')
    const detail = `${counted(size, 'upload is', 'uploads are')} being read, and the setting uploadsAtOnce is ${uploadsAtOnce}`
    return { kind: 'busy', detail }
  }

  async #read(request: IncomingMessage, form: FormShape, onData: (chunk: Buffer) => void): Promise<Body> {
    const { settings, folder, blobs } = this.#options
    const { fileField } = form
    const max = form.maxBytes(settings)
    const path = join(this.#home, randomUUID())
    let isRead = false
    try {
      this.#cleaned ??= removeStaleTemporaries(folder)
      await this.#cleaned
      await makeFolder(this.#home, 0o700)
      const { fields, file } = await readForm(request, path, { fileField, maxBytes: max.bytes, onData })
      isRead = true
      const repeated = Object.keys(fields).find((name) => typeof fields[name] !== 'string')
      if (repeated !== undefined)
        return unreadable(`The form has the field ${JSON.stringify(repeated)} more than once`)
      if (file === undefined && Object.keys(fields).length === 0) return withoutParts(request, form)
      const files = file === undefined ? [] : [await this.#inspecting.run(() => inspectFile(path, file))]
      if (file !== undefined) await blobs.putFile(path, file)
      return { kind: 'form', fields: fields as Record<string, string>, files }
    } catch (error) {
      if (hasDisconnected(request)) throw new ClientDisconnected()
      // It is away for a while, and every call of that time is answered alike.
      if (isStoreError(error)) throw error
      const explained = explainSystemError('The file could not be written', error)
      // What is wrong with the form is found while it is read.
      if (isRead && !(explained instanceof EmulatorError)) throw error
      return formErrorBody(explained, request, form, max)
    } finally {
      // The file of a form that was read has moved into the blob store.
      await rm(path, { force: true }).catch(() => undefined)
    }
  }
}

const inspectFile = async (path: string, { hash: blob, ...file }: UploadedFile): Promise<FormFile> => {
  const content = await readFile(path)
  const { probe, sniff } = await importProbe()
  const format = sniff(content)
  return { ...file, blob, probe: await probe(content), ...(format !== undefined && { format }) }
}

const importProbe = lateImport(() => import('../probe.js'))
