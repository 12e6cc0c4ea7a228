import { z } from 'zod'

const header = z.looseObject({ name: z.string(), value: z.string() })

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
        params: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).optional(),
      })
      .optional(),
  }),
  response: z.looseObject({
    status: z.number(),
    headers: z.array(header).default([]),
    content: z
      .looseObject({
        mimeType: z.string().default(''),
        text: z.string().optional(),
        encoding: z.string().optional(),
      })
      .default({ mimeType: '' }),
    _error: z.string().nullish(),
  }),
})
export type HarEntry = z.output<typeof entrySchema>

/** What browsers and proxies write (HTTP Archive 1.2), as far as it is looked at. */
export const harSchema = z.looseObject({ log: z.looseObject({ entries: z.array(entrySchema) }) })
export type Har = z.output<typeof harSchema>

/** The body of an answer, which proxies write in Base64 as they like; undefined for one that is no text. */
export const textIn = ({
  content: { text, encoding, mimeType },
}: HarEntry['response']): string | undefined => {
  if (encoding !== 'base64' || text === undefined) return text
  return /json|text|xml/i.test(mimeType) ? Buffer.from(text, 'base64').toString('utf8') : undefined
}

/** Whether a JSON value is meant to be such an archive. */
export const isHar = (value: unknown): boolean =>
  Array.isArray((value as { log?: { entries?: unknown } } | null)?.log?.entries)
