import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { StorageEngine } from 'multer'
import { lateImport } from '../../concurrency.js'
import type { FormShape } from '../../core/contract.js'
import { EmulatorError } from '../../core/errors.js'
import { compressedBody } from '../../core/http.js'
import type { Body } from '../../core/model/call.js'
import { inputShortage } from '../files/blob-store.js'

interface FormReading {
  /** The field that holds the file. */
  readonly fileField: string
  readonly maxBytes: number
  readonly onData: (chunk: Buffer) => void
}

/** File of a form as it came. */
export interface UploadedFile {
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

const importMulter = lateImport(() => import('multer'))

/**
 * Reads a multipart form and streams its file, if it has one, to `path`. Rejects with multer's error, or with the system's
 * error where the file cannot be written; a file that was written by then is for the caller to remove.
 */
export const readForm = async (
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
export const hasDisconnected = (request: IncomingMessage): boolean => request.destroyed && !request.complete

type MaxBytes = ReturnType<FormShape['maxBytes']>

/** The body of a form that could not be read: every error of multer has a sentence of its own. */
export const formErrorBody = (
  error: unknown,
  { headers }: IncomingMessage,
  form: FormShape,
  max: MaxBytes,
): Body => {
  if (error instanceof EmulatorError) {
    const detail = error.message.replace('\n', ' ').replace(/\.$/, '')
    const shortage = inputShortage(error)
    return shortage === undefined ? { kind: 'not-kept', detail } : { kind: 'busy', detail, ...shortage }
  }
  const { code = '', field, message } = error as FormError
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(max)
  const detail = refusals[code]?.(JSON.stringify(field), JSON.stringify(form.fileField))
  if (detail !== undefined) return unreadable(detail)
  const end = /end of form/.test(message) ? ` (its last line has to be --${boundaryOf(headers)}--)` : ''
  return unreadable(`The form cannot be read: ${message}${end}`)
}

/** Body of a form in which no part was found: the parser passes over what is between its boundaries and is none. */
export const withoutParts = ({ headers }: IncomingMessage, { fileField }: FormShape): Body =>
  unreadable(
    `The form has no part that can be read: each begins with a line --${boundaryOf(headers)} and a line Content-Disposition: form-data; name="${fileField}"; filename="clip.mp4"`,
  )

/** The boundary of a form as parsers read it, which end one without quotes at a semicolon. */
const boundaryOf = ({ 'content-type': contentType = '' }: IncomingMessage['headers']): string =>
  (writtenBoundary(contentType) ?? '').replaceAll('"', '').slice(0, 100)

/** What is wrong with a form that its headers show, or undefined where nothing is. */
export const headProblem = ({ headers }: IncomingMessage): Body | undefined => {
  const compressed = compressedBody(headers['content-encoding'])
  if (compressed !== undefined) return compressed
  const contentType = headers['content-type'] ?? ''
  const found = contentType || 'none'
  if (!/^multipart\/form-data\b/i.test(contentType))
    return unreadable(`The request must be a form (Content-Type: multipart/form-data), found ${found}`)
  const boundary = boundaryProblem(contentType)
  return boundary === undefined ? undefined : unreadable(boundary)
}

/**
 * Problem of the boundary of a form, in words, or undefined where there is none. A boundary with one of these characters has to be quoted
 * (RFC 2046, 5.1.1): parsers end an unquoted one there, and then find no part of the form.
 */
const boundaryProblem = (contentType: string): string | undefined => {
  const written = writtenBoundary(contentType)
  if (written === undefined) return 'The Content-Type names no boundary (multipart/form-data; boundary=…)'
  if (written === '' || written === '""') return 'The boundary in the Content-Type is empty'
  if (/^"[^"]*$/.test(written)) return 'The quotes around the boundary in the Content-Type are not closed'
  if (written.startsWith('"') || !/[()<>@,:\\/[\]?= "]/.test(written)) return undefined
  const shown = written.slice(0, 100)
  return `The boundary ${shown} in the Content-Type has characters that end it unless it stands in quotes: boundary="${shown}"`
}

const writtenBoundary = (contentType: string): string | undefined =>
  /;\s*boundary=\s*("[^"]*"|[^;]*)/i.exec(contentType)?.[1]?.trim()

export const unreadable = (detail: string): Body => ({ kind: 'unreadable', detail })

/** Error of multer, or of the parser that it uses, which has no code. */
interface FormError extends Error {
  readonly code?: string
  /** The field of the form that it is about. */
  readonly field?: string
}

export const tooLarge = ({ bytes, setting }: MaxBytes): Body => ({
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
