import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { isRecord } from '../emulator/surface/journal.js'

const header = z.looseObject({ name: z.string(), value: z.string().default('') })

const entrySchema = z.looseObject({
  startedDateTime: z.string(),
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: z.array(header).default([]),
    postData: z
      .looseObject({
        mimeType: z.string().default(''),
        text: z.string().optional(),
        params: z
          .array(z.looseObject({ name: z.string(), value: z.string().optional().catch(undefined) }))
          .optional(),
      })
      .optional(),
  }),
  response: z.looseObject({
    status: z.number(),
    headers: z.array(header).default([]),
    content: z
      .looseObject({
        size: z.number().optional(),
        mimeType: z.string().default(''),
        text: z.string().optional(),
        encoding: z.string().optional(),
      })
      .default({ mimeType: '' }),
    redirectURL: z.string().default(''),
    _error: z.string().optional(),
    _failureText: z.string().optional(),
  }),
  _fromCache: z.unknown().optional().describe('set: the browser answered the call itself'),
})
/** A call with its answer, as an HTTP Archive has it. */
export type HarEntry = z.output<typeof entrySchema>

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]))
}

/**
 * HAR with the texts of bodies that Playwright wrote as files of their own beside it (`_file`).
 * A body whose file cannot be read is missing, like one that no file was written for.
 * @param unread receives the names of files that cannot be read
 */
export const withBodies = (value: unknown, folder: string, unread: string[]): unknown => {
  if (Array.isArray(value)) return value.map((item) => withBodies(item, folder, unread))
  if (!isRecord(value)) return value
  const { _file: file } = value
  if (typeof file !== 'string' || !isText(String(value.mimeType)))
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, withBodies(field, folder, unread)]),
    )
  try {
    return { ...value, text: readFileSync(join(folder, basename(file)), 'utf8') }
  } catch {
    unread.push(file)
    return value
  }
}

// Some writers list calls that they lost sight of, with `response: null`: these are skipped.
const wholeEntrySchema = z.preprocess(
  (entry) => (isRecord(entry) && isRecord(entry.request) && isRecord(entry.response) ? entry : undefined),
  entrySchema.optional(),
)

const present = <T>(items: readonly (T | undefined)[]): T[] => items.filter((item) => item !== undefined)

/** HAR schema: the parts of an HTTP Archive 1.2 that are read. Some writers have null where a field is missing. */
export const harSchema = z.preprocess(
  withoutNulls,
  z.looseObject({ log: z.looseObject({ entries: z.array(wholeEntrySchema).transform(present) }) }),
)
/** The parts of an HTTP Archive that are read. */
export type Har = z.output<typeof harSchema>

/** Whether the body of this type is kept as a text. */
export const isText = (mimeType: string): boolean => /json|text|xml/i.test(mimeType)

/** HAR check: whether a JSON value is meant to be an HTTP Archive. */
export const isHar = (value: unknown): value is { log: { entries: unknown[] } } =>
  Array.isArray((value as { log?: { entries?: unknown } } | null)?.log?.entries)
