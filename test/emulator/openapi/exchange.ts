import type { openApiDocument } from '../../../src/emulator/openapi/document.js'

type OpenApiDocument = Awaited<ReturnType<typeof openApiDocument>>

/** A call that was answered with JSON. */
export interface Exchanged {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly body: unknown
  readonly sent?: unknown
}

/** The document with every exchange as an example at its place, so that a linter holds it against the schema there. */
export const withExamples = (document: OpenApiDocument, exchanged: readonly Exchanged[]): OpenApiDocument => {
  const copy = structuredClone(document) as unknown as Editable
  for (const [index, one] of exchanged.entries()) {
    const place = placeOf(copy, one)
    addExample(place.response, `exchange ${index}`, one.body)
    if (one.sent !== undefined && one.status === 200) addExample(place.body, `exchange ${index}`, one.sent)
  }
  return copy as unknown as OpenApiDocument
}

interface Content {
  content?: Record<string, { examples?: Record<string, { value: unknown }> }>
}

interface Editable {
  paths: Record<string, Record<string, { requestBody?: Content; responses: Record<string, Content> }>>
}

const placeOf = ({ paths }: Editable, { method, path, status }: Exchanged) => {
  const found = Object.keys(paths)
    .filter((template) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
    )
    // What is written out goes before what fits anything.
    .sort((a, b) => a.split('{').length - b.split('{').length)
    .flatMap((template) => paths[template]?.[method.toLowerCase()] ?? [])[0]
  const response = found?.responses[status] ?? found?.responses[`${String(status).charAt(0)}XX`]
  if (found === undefined || response === undefined)
    throw new Error(`The document has no ${method} ${path} that answers ${status}.`)
  return { response, body: found.requestBody }
}

const addExample = (holder: Content | undefined, name: string, value: unknown): void => {
  const media = holder?.content?.['application/json']
  if (media === undefined) throw new Error(`There is no JSON where ${JSON.stringify(value)} belongs.`)
  media.examples = { ...media.examples, [name]: { value } }
}
