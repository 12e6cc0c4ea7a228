import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { basename, dirname } from 'node:path'
import type { StorageEngine } from 'multer'
import type { FormShape } from '../../core/contract.js'
import type { Body } from '../../core/model/call.js'

export interface FormLimits {
  /** The field that holds the file. */
  readonly fileField: string
  readonly maxBytes: number
}

interface UploadedForm {
  readonly fields: Readonly<Record<string, unknown>>
  /** Undefined where the form has no file. */
  readonly file: UploadedFile | undefined
}

export interface UploadedFile {
  readonly field: string
  /** As it was sent, folders included. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 in hex. */
  readonly hash: string
}

/** What a form may hold besides its one file, far beyond what clients need. */
const MAX_FORM = { fields: 16, parts: 20, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 32 } as const

/** What multer adds to a request. */
interface ParsedRequest extends IncomingMessage {
  readonly body?: Readonly<Record<string, unknown>>
  readonly file?: { readonly originalname: string; readonly size: number; readonly hash: string }
}

/**
 * Reads a multipart form and streams its file to `path`. Rejects with multer's error, or with the system's error where
 * the file cannot be written; a file that was written by then is for the caller to remove.
 */
export const readForm = async (
  request: ParsedRequest,
  path: string,
  { fileField, maxBytes }: FormLimits,
): Promise<UploadedForm> => {
  const { default: multer } = await import('multer')
  const disk = multer.diskStorage({
    destination: (_request, _file, done) => done(null, dirname(path)),
    filename: (_request, _file, done) => done(null, basename(path)),
  })
  const form = multer({
    storage: hashing(disk),
    // Names are judged by a rule, which has to see them as they were sent.
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { ...MAX_FORM, files: 1, fileSize: maxBytes, fieldNestingDepth: 0 },
  }).single(fileField)
  // multer notices a client that goes away, but not one that has gone already.
  if (hasDisconnected(request)) throw new Error('the client has gone')
  await new Promise<void>((resolve, reject) => {
    // multer needs no more than Node's request, and never answers.
    form(request as never, undefined as never, (error: unknown) => (error ? reject(error) : resolve()))
  })
  const { body, file } = request
  return {
    fields: { ...body },
    file: file && { field: fileField, name: file.originalname, bytes: file.size, hash: file.hash },
  }
}

/** A storage engine that hashes what another one stores, in the same pass. */
const hashing = (storage: StorageEngine): StorageEngine => ({
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
export const formErrorBody = (error: unknown, fileField: string, max: MaxBytes): Body => {
  const { code, field, message, hint } = error as FormError
  if (hint !== undefined) return { kind: 'not-kept', detail: message.replace('\n', ' ').replace(/\.$/, '') }
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(max)
  return {
    kind: 'unreadable',
    detail: detailOf(code, field, fileField) ?? `The form cannot be read: ${message}`,
  }
}

interface FormError {
  /** Of multer. */
  readonly code?: string
  /** The field of the form that it is about. */
  readonly field?: string
  readonly message: string
  /** Of the emulator's own errors alone. */
  readonly hint?: string
}

export const tooLarge = ({ bytes, setting }: MaxBytes): Body => ({
  kind: 'too-large',
  limit: bytes,
  detail: `The file is larger than ${bytes} bytes, the most that a file of any kind may have (setting ${setting})`,
})

// Which parts are files is decided by the parser; a part that was never meant as one is passed by without its value.
const MORE_FILES =
  'The form has more than one file: every part counts as one that has a file name, or the Content-Type application/octet-stream (send texts such as group_id without either)'

const detailOf = (
  code: string | undefined,
  field: string | undefined,
  fileField: string,
): string | undefined => {
  switch (code) {
    case 'LIMIT_PART_COUNT':
      return `The form has more than ${MAX_FORM.parts} parts`
    case 'LIMIT_FIELD_COUNT':
      return `The form has more than ${MAX_FORM.fields} fields`
    case 'LIMIT_FILE_COUNT':
      return MORE_FILES
    case 'LIMIT_UNEXPECTED_FILE':
      return `The form has a file in the field ${JSON.stringify(field)}; the file goes into the field ${JSON.stringify(fileField)}`
    case 'LIMIT_FIELD_KEY':
      return `The form has a field whose name is longer than ${MAX_FORM.fieldNameSize} bytes`
    case 'LIMIT_FIELD_VALUE':
      return `The field ${JSON.stringify(field)} is longer than ${MAX_FORM.fieldSize} bytes`
    case 'LIMIT_FIELD_NESTING':
      return `The form has no fields with brackets in their names, found ${JSON.stringify(field)}`
    case 'MISSING_FIELD_NAME':
      return 'The form has a part without a name'
    default:
      return undefined
  }
}
