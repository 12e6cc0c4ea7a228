import type { FamilyApi } from '../core/contract.js'
import { namedSchemas, type Schemas, withNullableFields } from '../core/json-schema.js'
import { builtIn } from '../families/index.js'
import type { Registry } from '../families/registry.js'
import { version } from '../version.js'
import { type ActionTable, controlDocument } from './control.js'
import { operationDocs, resultPaths, servicePaths, tagNameOf } from './service.js'

/** Parts of the document that can be requested alone. */
export const parts = ['service', 'control'] as const
type Part = (typeof parts)[number]

/** What answers of the service carry beside their bodies (gap X3, X6). */
const headers = {
  'X-Request-Id': { description: 'The id of the call, as the journal has it', schema: { type: 'string' } },
  'Retry-After': { description: 'Whole seconds', schema: { type: 'integer' } },
}

const bearer = { type: 'http', scheme: 'bearer', description: 'The API key, which selects the account' }
const bareKey = { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The key alone' }
const controlToken = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Backlot-Token',
  description: 'Where the setting `controlToken` asks for it',
}

/** How callers say who they are. */
const securitySchemes = (part: Part | undefined): Readonly<Record<string, object>> => ({
  bearer,
  ...(part === 'control' ? {} : { bareKey }),
  ...(part === 'service' ? {} : { controlToken }),
})

interface DocumentOptions {
  /** Whose families are described. Default: the built-in ones. */
  readonly registry?: Registry
  /** Default: both. */
  readonly part?: Part | undefined
  /** Where the emulator answers; default: where the document was fetched from. */
  readonly server?: string | undefined
  /** Where sample requests find the media of the emulator; default: the server, else `DEFAULT_URL`. */
  readonly origin?: string | undefined
}

/** Default URL of `backlot start`. */
export const DEFAULT_URL = 'http://127.0.0.1:4650'

/**
 * The OpenAPI 3.1 document of the emulated service, of the control API, or of both. Everything in it comes from the
 * schemas, tables and rules that the emulator itself works by.
 */
export const openApiDocument = async (
  actions: ActionTable,
  { registry = builtIn, part, server, origin }: DocumentOptions = {},
) => {
  const hasService = part !== 'control'
  const hasControl = part !== 'service'
  const schemas = allSchemas(registry)
  const control = hasControl ? await controlDocument(actions) : { paths: {}, schemas: {} }
  return {
    openapi: '3.1.1',
    info: { title: 'Backlot', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: server ?? '/' }],
    tags: [...(hasService ? serviceTags(registry) : []), ...(hasControl ? [controlTag] : [])],
    paths: {
      ...(hasService
        ? { ...(await servicePaths(registry, schemas, server ?? origin ?? DEFAULT_URL)), ...resultPaths }
        : {}),
      ...control.paths,
    },
    components: {
      schemas: { ...(hasService ? withoutQueries(registry, schemas) : {}), ...control.schemas },
      headers: hasService ? headers : undefined,
      securitySchemes: securitySchemes(part),
    },
  }
}

const description = `An emulator of an image and video generation service, and the API that controls it.

A path that the service does not have is answered with 404 and
\`{"error":{"message":"Invalid URL (GET /x)","type":"invalid_request_error","param":"","code":""}}\`. A scenario can make any
operation answer with any error of its family. References such as docs/families/b-video-task.md#duration are pages of the documentation; docs/gaps.md is the table that \`GET /_backlot/gaps\` shows.`

const allSchemas = ({ families }: Registry): Schemas => {
  const { requests, responses } = wireSchemas(families.map(({ api }) => api))
  return { ...requests, ...responses }
}

/** JSON Schemas of what clients send and get, by published name. A query is no JSON, so that only bodies have nulls. */
export const wireSchemas = (
  apis: readonly FamilyApi[],
): { readonly requests: Schemas; readonly responses: Schemas } => {
  const queries = apis.flatMap(({ operations }) => Object.values(operations).map(({ query }) => query))
  const requests = namedSchemas(Object.assign({}, ...apis.map((api) => api.requests)), 'input')
  return {
    requests: Object.fromEntries(
      Object.entries(requests).map(([name, schema]) => [
        name,
        queries.includes(name) ? schema : withNullableFields(schema),
      ]),
    ),
    responses: namedSchemas(Object.assign({}, ...apis.map((api) => api.responses)), 'output'),
  }
}

const withoutQueries = (registry: Registry, schemas: Schemas): Schemas => {
  const queries = Object.values(operationDocs(registry)).flatMap(({ query }) => query ?? [])
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => !queries.includes(name)))
}

const serviceTags = ({ families }: Registry) => [
  ...families
    .toSorted((a, b) => a.section.localeCompare(b.section))
    .map(({ section, title }) => ({ name: tagNameOf({ section }), description: title })),
  { name: 'Results', description: 'The files that tasks end with' },
]

const controlTag = { name: 'Control', description: 'What can be done to a running emulator' }
