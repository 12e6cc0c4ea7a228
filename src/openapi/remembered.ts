import { type DocumentOptions, openApiDocument } from './index.js'
import type { OpenApiDocument } from './openapi.js'

// A process has one address and three parts; tests may have more addresses.
const MOST = 12

const made = new Map<string, Promise<OpenApiDocument>>()

/** The document, made once in a process: it takes a tenth of a second, and says the same each time. */
export const cachedOpenApiDocument = (options: DocumentOptions = {}): Promise<OpenApiDocument> => {
  const name = JSON.stringify([options.part, options.server])
  const known = made.get(name)
  if (known !== undefined) return known
  if (made.size >= MOST) made.clear()
  const document = openApiDocument(options)
  made.set(name, document)
  // What went wrong once may go right the next time.
  document.catch(() => made.delete(name))
  return document
}
