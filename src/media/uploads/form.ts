import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import type { FormShape } from '../../core/contract.js'
import type { Body } from '../../core/model/call.js'
import { createFileStorage, type StorageMeans } from './file-storage.js'

export interface FormLimits {
  /** The field that holds the file. */
  readonly fileField: string
  /** The largest file that is taken. */
  readonly maxBytes: number
}

interface ReadForm {
  readonly fields: Readonly<Record<string, unknown>>
  /** Left out where the form has no file. */
  readonly file?: ReadFile
}

export interface ReadFile {
  readonly field: string
  /** As it was sent, folders included. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 in hex; left out where it was not found out on the way. */
  readonly hash?: string
}

/** What a form may hold besides its one file, far beyond what anybody needs. */
const bounds = {
  fields: 16,
  parts: 20,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  headerPairs: 32,
} as const

/**
 * Reads a multipart form and streams its file to `path`. Rejects with what multer has against the form, or with the
 * system's error where the file cannot be written; what was written by then is for the caller to remove.
 */
export const readForm = async (
  incoming: IncomingMessage,
  path: string,
  { fileField, maxBytes }: FormLimits,
  means: StorageMeans,
): Promise<ReadForm> => {
  const { default: multer } = await import('multer')
  // multer asks for no more than Node's own request, and adds to it what it finds.
  const request = incoming as Request
  const storage = createFileStorage(path, means)
  const options = {
    storage: storage.engine,
    // Names are judged by a rule, which has to see them as they were sent.
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { ...bounds, files: 1, fileSize: maxBytes, fieldNestingDepth: 0 },
  }
  const form = multer(options).single(fileField)
  // multer listens for a client that goes away, and not for one that has gone already.
  if (isGone(request)) throw new Error('the client has gone')
  try {
    await new Promise<void>((resolve, reject) => {
      form(request, nobody, (error: unknown) => (error ? reject(error) : resolve()))
    })
  } finally {
    await storage.closed()
  }
  const { body, file } = request
  const hash = await storage.closed()
  const known = file && {
    ...{ field: fileField, name: file.originalname, bytes: file.size },
    ...(hash === undefined ? {} : { hash }),
  }
  return { fields: { ...body }, ...(known === undefined ? {} : { file: known }) }
}

/** Whether the client went away before it had sent everything. */
export const isGone = (request: IncomingMessage): boolean => request.destroyed && !request.complete

// multer answers nobody; it hands on what it finds.
const nobody = undefined as never

type MaxBytes = ReturnType<FormShape['maxBytes']>

/** What a form that could not be read is to the operation; every trouble has words of its own. */
export const troubleWith = (error: unknown, fileField: string, most: MaxBytes): Body => {
  const { code, field, message, hint } = error as FormError
  if (hint !== undefined) return { kind: 'not-kept', detail: `${message} ${hint}`.replace(/\.$/, '') }
  if (code === 'LIMIT_FILE_SIZE') return tooLarge(most)
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
      return `The form has more than ${bounds.parts} parts`
    case 'LIMIT_FIELD_COUNT':
      return `The form has more than ${bounds.fields} fields`
    case 'LIMIT_FILE_COUNT':
      return MORE_FILES
    case 'LIMIT_UNEXPECTED_FILE':
      return `The form has a file in the field ${JSON.stringify(field)}; the file goes into the field ${JSON.stringify(fileField)}`
    case 'LIMIT_FIELD_KEY':
      return `The form has a field whose name is longer than ${bounds.fieldNameSize} bytes`
    case 'LIMIT_FIELD_VALUE':
      return `The field ${JSON.stringify(field)} is longer than ${bounds.fieldSize} bytes`
    case 'LIMIT_FIELD_NESTING':
      return `The form has no fields with brackets in their names, found ${JSON.stringify(field)}`
    case 'MISSING_FIELD_NAME':
      return 'The form has a part without a name'
    default:
      return undefined
  }
}
