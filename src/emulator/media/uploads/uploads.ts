import { createHash, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { StorageEngine } from 'multer'
import { createMutex, lateImport } from '../../concurrency.js'
import type { Asset } from '../../core/asset.js'
import type { Change, FormShape } from '../../core/contract.js'
import { counted } from '../../core/count-words.js'
import { ClientDisconnected, EmulatorError, explainSystemError, isStoreError } from '../../core/errors.js'
import type { Body, FormFile } from '../../core/model/call.js'
import { noQuotaReporter, type QuotaReporter } from '../../core/quotas.js'
import { compressedBody } from '../../core/request.js'
import type { Settings } from '../../core/settings.js'
import { type BlobStore, inputShortage } from '../files/blob-store.js'
import { makeFolder, removeStaleTemporaries, temporaryName } from '../files/temporary-folders.js'

interface UploadsOptions {
  readonly settings: Settings
  /** For files while they come in. What is made there is removed when the uploads are stopped. */
  readonly folder: string
  readonly blobs: BlobStore
  readonly quotas?: QuotaReporter
  /** Replaces the facts of an uploaded file. Default: they stay. */
  readonly replaceFacts?: (file: FormFile) => FormFile
}

/** Uploads: reads multipart forms, and puts their files into the blob store. */
export type Uploads = ReturnType<typeof createUploads>

/** Maximum size of the boundaries, headers and fields of a form, besides its file. */
export const FORM_BYTES = 2 ** 20

export const createUploads = ({
  settings,
  folder,
  blobs,
  quotas = noQuotaReporter,
  replaceFacts = (file) => file,
}: UploadsOptions) => {
  const home = join(folder, temporaryName())
  // A file is in memory while it is inspected, so that only one is at a time.
  const inspecting = createMutex()
  const reading = new Map<IncomingMessage, Promise<unknown>>()
  quotas.measure({ uploads: () => reading.size })
  /** Pins that were not made since the file was missing, by its hash: as many of its later unpins do nothing. */
  const missingPins = new Map<string, number>()
  let isStopped = false
  let cleaned: Promise<void> | undefined

  /**
   * Reads a form; its file is then in the blob store, pinned. What is wrong with the form is a body that says so.
   * @throws ClientDisconnected when the client goes away before the form is read; EmulatorError where the shared store is away
   */
  const receive = async (
    request: IncomingMessage,
    form: FormShape,
  ): Promise<{ body: Body; bytes: number }> => {
    const bytes = Number(request.headers['content-length'] ?? 0)
    const refused = refusalOf(request, form, bytes)
    if (refused !== undefined) return { body: refused, bytes }
    // A form in chunks does not say how long it is.
    let received = 0
    const work = read(request, form, (chunk) => {
      received += chunk.length
    })
    reading.set(request, work)
    quotas.observe('uploads', reading.size)
    try {
      const body = await work
      // It was not read to its end.
      if (body.kind === 'too-large') return { body, bytes: Math.max(bytes, body.limit + 1) }
      const form = body.kind === 'form' ? { ...body, files: body.files.map(replaceFacts) } : body
      return { body: form, bytes: bytes || received }
    } finally {
      reading.delete(request)
    }
  }

  const refusalOf = (request: IncomingMessage, form: FormShape, bytes: number): Body | undefined => {
    if (isStopped) return { kind: 'not-kept', detail: 'The emulator was stopped' }
    const compressed = compressedBody(request.headers['content-encoding'])
    if (compressed !== undefined) return compressed
    const contentType = request.headers['content-type'] ?? ''
    const found = contentType || 'none'
    if (!/^multipart\/form-data\b/i.test(contentType))
      return unreadable(`The request must be a form (Content-Type: multipart/form-data), found ${found}`)
    const boundary = boundaryProblem(contentType)
    if (boundary !== undefined) return unreadable(boundary)
    const max = form.maxBytes(settings)
    if (bytes > max.bytes + FORM_BYTES) return tooLarge(max)
    const { uploadsAtOnce } = settings
    if (reading.size < uploadsAtOnce) return undefined
    quotas.refuse('uploads')
    const detail = `${counted(reading.size, 'upload is', 'uploads are')} being read, and the setting uploadsAtOnce is ${uploadsAtOnce}`
    return { kind: 'busy', detail }
  }

  const read = async (
    request: IncomingMessage,
    form: FormShape,
    onData: (chunk: Buffer) => void,
  ): Promise<Body> => {
    const { fileField } = form
    const max = form.maxBytes(settings)
    const path = join(home, randomUUID())
    let isRead = false
    try {
      cleaned ??= removeStaleTemporaries(folder)
      await cleaned
      await makeFolder(home, 0o700)
      const { fields, file } = await readForm(request, path, { fileField, maxBytes: max.bytes, onData })
      isRead = true
      const repeated = Object.keys(fields).find((name) => typeof fields[name] !== 'string')
      if (repeated !== undefined)
        return unreadable(`The form has the field ${JSON.stringify(repeated)} more than once`)
      const files = file === undefined ? [] : [await inspecting.run(() => inspectFile(path, file))]
      if (file !== undefined) await blobs.putFile(path, file)
      return { kind: 'form', fields: fields as Record<string, string>, files }
    } catch (error) {
      if (hasDisconnected(request)) throw new ClientDisconnected()
      // It is away for a while, and every call of that time is answered alike.
      if (isStoreError(error)) throw error
      const explained = explainSystemError('The file could not be written', error)
      // What is wrong with the form is found while it is read.
      if (isRead && !(explained instanceof EmulatorError)) throw error
      return formErrorBody(explained, fileField, max)
    } finally {
      // The file of a form that was read has moved into the blob store.
      await rm(path, { force: true }).catch(() => undefined)
    }
  }

  const inspectFile = async (path: string, { hash: blob, ...file }: UploadedFile): Promise<FormFile> => {
    const content = await readFile(path)
    const { probe, sniff } = await importProbe()
    const format = sniff(content)
    return { ...file, blob, probe: await probe(content), ...(format !== undefined && { format }) }
  }

  return {
    receive,
    /** Unpins the file of a form that no change keeps. */
    complete: async (body: Body, changes: readonly Change[]): Promise<void> => {
      if (body.kind !== 'form') return
      const kept = changes.filter((change) => 'putAsset' in change).map(({ putAsset }) => putAsset.blob)
      for (const { blob } of body.files) if (!kept.includes(blob)) await blobs.unpin(blob)
    },
    /** Pins the files of restored assets; returns the assets whose files are missing. */
    pinAssets: async (assets: Iterable<Asset>): Promise<Asset[]> => {
      const missing: Asset[] = []
      for (const asset of assets) {
        if (await blobs.pin(asset.blob)) continue
        missing.push(asset)
        missingPins.set(asset.blob, (missingPins.get(asset.blob) ?? 0) + 1)
      }
      return missing
    },
    /** Unpins the files of assets that are removed. */
    unpinAssets: async (assets: Iterable<Asset>): Promise<void> => {
      for (const { blob } of assets) {
        const count = missingPins.get(blob) ?? 0
        if (count > 1) missingPins.set(blob, count - 1)
        else if (!missingPins.delete(blob)) await blobs.unpin(blob)
      }
    },
    /** Aborts what is coming in, and removes what was written of it. */
    stop: async (): Promise<void> => {
      isStopped = true
      for (const request of reading.keys()) request.destroy()
      await Promise.allSettled(reading.values())
      await rm(home, { recursive: true, force: true }).catch(() => undefined)
    },
  }
}

interface FormReading {
  /** The field that holds the file. */
  readonly fileField: string
  readonly maxBytes: number
  readonly onData: (chunk: Buffer) => void
}

interface UploadedFile {
  readonly field: string
  /** As it was sent, folders included. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 in hex. */
  readonly hash: string
}

/** Limits of a form besides its one file, far beyond what clients need. */
const MAX_FORM = { fields: 16, parts: 20, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 32 } as const

/** What multer adds to a request. */
interface ParsedRequest extends IncomingMessage {
  readonly body?: Readonly<Record<string, unknown>>
  readonly file?: { readonly originalname: string; readonly size: number; readonly hash: string }
}

const importProbe = lateImport(() => import('../probe.js'))
const importMulter = lateImport(() => import('multer'))

/**
 * Reads a multipart form and streams its file, if it has one, to `path`. Rejects with multer's error, or with the system's
 * error where the file cannot be written; a file that was written by then is for the caller to remove.
 */
const readForm = async (
  request: ParsedRequest,
  path: string,
  { fileField, maxBytes, onData }: FormReading,
) => {
  const { default: multer } = await importMulter()
  const disk = multer.diskStorage({
    destination: (_request, _file, done) => done(null, dirname(path)),
    filename: (_request, _file, done) => done(null, basename(path)),
  })
  const form = multer({
    storage: hashingStorage(disk),
    // The family says what of a name counts.
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { ...MAX_FORM, files: 1, fileSize: maxBytes, fieldNestingDepth: 0 },
  }).single(fileField)
  // multer notices a client that goes away, but not one that has gone already.
  if (hasDisconnected(request)) throw new Error('the client has gone')
  request.on('data', onData)
  // multer needs no more than Node's request, and never answers.
  await promisify(form)(request as never, undefined as never)
  const { body, file } = request
  return {
    fields: { ...body },
    file: file && { field: fileField, name: file.originalname, bytes: file.size, hash: file.hash },
  }
}

/** A storage engine that hashes what another one stores, in the same pass. */
const hashingStorage = (storage: StorageEngine): StorageEngine => ({
  _handleFile: (request, file, done) => {
    const sha256 = createHash('sha256')
    file.stream.on('data', (chunk) => sha256.update(chunk))
    storage._handleFile(request, file, (error, info) =>
      error ? done(error) : done(null, Object.assign({}, info, { hash: sha256.digest('hex') })),
    )
  },
  _removeFile: (request, file, done) => storage._removeFile(request, file, done),
})

/** Whether the client went away before it had sent everything. */
const hasDisconnected = (request: IncomingMessage): boolean => request.destroyed && !request.complete

type MaxBytes = ReturnType<FormShape['maxBytes']>

/** The body of a form that could not be read: every error of multer has a sentence of its own. */
const formErrorBody = (error: unknown, fileField: string, max: MaxBytes): Body => {
  if (error instanceof EmulatorError) {
    const detail = error.message.replace('\n', ' ').replace(/\.$/, '')
    const shortage = inputShortage(error)
    return shortage === undefined ? { kind: 'not-kept', detail } : { kind: 'busy', detail, ...shortage }
  }
  const { code = '', field, message } = error as FormError
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(max)
  const detail = refusals[code]?.(JSON.stringify(field), JSON.stringify(fileField))
  return unreadable(detail ?? `The form cannot be read: ${message}`)
}

/**
 * Problem of the boundary of a form, in words, or undefined where there is none. A boundary with one of these characters has to be quoted
 * (RFC 2046, 5.1.1): parsers end an unquoted one there, and then find no part of the form.
 */
const boundaryProblem = (contentType: string): string | undefined => {
  const written = /;\s*boundary=\s*("[^"]*"|[^;]*)/i.exec(contentType)?.[1]?.trim()
  if (written === undefined) return 'The Content-Type names no boundary (multipart/form-data; boundary=…)'
  if (written === '' || written === '""') return 'The boundary in the Content-Type is empty'
  if (written.startsWith('"') || !/[()<>@,:\\/[\]?= "]/.test(written)) return undefined
  const shown = written.slice(0, 100)
  return `The boundary ${shown} in the Content-Type has characters that end it unless it stands in quotes: boundary="${shown}"`
}

const unreadable = (detail: string): Body => ({ kind: 'unreadable', detail })

/** Error of multer, or of the parser that it uses, which has no code. */
interface FormError extends Error {
  readonly code?: string
  /** The field of the form that it is about. */
  readonly field?: string
}

const tooLarge = ({ bytes, setting }: MaxBytes): Body => ({
  kind: 'too-large',
  limit: bytes,
  detail: `The file is larger than ${bytes} bytes, the most that a file of any kind may have (setting ${setting})`,
})

// The parser decides which parts are files: it drops the value of a part that was not meant as one.
const MORE_FILES =
  'The form has more than one file: every part counts as one that has a file name, or the Content-Type application/octet-stream (send texts such as group_id without either)'

const refusals: Readonly<Record<string, (field: string, fileField: string) => string>> = {
  LIMIT_PART_COUNT: () => `The form has more than ${MAX_FORM.parts} parts`,
  LIMIT_FIELD_COUNT: () => `The form has more than ${MAX_FORM.fields} fields`,
  LIMIT_FILE_COUNT: () => MORE_FILES,
  LIMIT_UNEXPECTED_FILE: (field, fileField) =>
    `The form has a file in the field ${field}; the file goes into the field ${fileField}`,
  LIMIT_FIELD_KEY: () => `The form has a field whose name is longer than ${MAX_FORM.fieldNameSize} bytes`,
  LIMIT_FIELD_VALUE: (field, fileField) =>
    field === fileField
      ? `${JSON.parse(fileField)} must be a part of the form with a file name (filename="clip.mp4"), found one without, which is a text`
      : `The field ${field} is longer than ${MAX_FORM.fieldSize} bytes`,
  LIMIT_FIELD_NESTING: (field) => `A field has brackets in its name, which no field may have: ${field}`,
  MISSING_FIELD_NAME: () => 'The form has a part without a name',
}
