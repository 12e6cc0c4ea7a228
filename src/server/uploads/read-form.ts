import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'
import { createFileStorage, type StorageMeans } from './file-storage.js'

export interface FormLimits {
  /** The field that holds the file. */
  readonly fileField: string
  /** The largest file that is taken. */
  readonly maxBytes: number
}

export interface ReadForm {
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
export const bounds = {
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
