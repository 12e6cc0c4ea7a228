import { z } from 'zod'
import {
  asDecision,
  type DecisionContext,
  type FailureKind,
  type FamilyDescription,
  noMeta,
  type Operation,
  type PreparedCall,
} from '../core/contract.js'
import { type Call, type ErrorSpec, jsonOf, type Refusal, type Reply } from '../core/model/call.js'
import { ROUTES } from '../core/scenario/selector.js'
import { isoOf, SECOND } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import { refusalReply } from '../core/task/refusals.js'
import { isBodiless, withoutBody } from './bodiless.js'
import { forwardCall } from './forward.js'
import { withOwnNames } from './headers.js'
import type { RouteRow } from './schema.js'
import { fillTemplates } from './templates.js'

const FORWARD_TIMEOUT_MS = 30 * SECOND

/** Errors with which a route answers before it looks at a call; a scenario can have it answer each of them. */
const errors = {
  invalid_request: { status: 400, message: 'The request is not valid' },
  invalid_api_key: { status: 401, message: 'The API key is missing or invalid' },
  not_found: { status: 404, message: 'The resource does not exist' },
  request_too_large: { status: 413, message: 'The request body is too large' },
  unsupported_media_type: { status: 415, message: 'The request body must be JSON (application/json)' },
  rate_limit_exceeded: { status: 429, message: 'The rate limit is exceeded, please try again later' },
  internal_error: { status: 500, message: 'The service encountered an internal error' },
  unavailable: { status: 503, message: 'The service is not available' },
} satisfies Record<string, ErrorSpec>

const wellKnownErrors: Readonly<Record<FailureKind, keyof typeof errors>> = {
  unauthenticated: 'invalid_api_key',
  unreadable: 'invalid_request',
  unsupported: 'unsupported_media_type',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_exceeded',
  internal: 'internal_error',
}

const respond = {
  error: (refusal: Refusal, _requestId: string, row: ErrorSpec) => ({
    error: {
      message: `${refusal.message ?? row.message}.`,
      type: row.type ?? 'invalid_request_error',
      param: refusal.field ?? null,
      code: row.code ?? refusal.error,
    },
  }),
}

const problem = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .describe('A refusal of a route of the profile.')

/** A file of an answer, read when the profile was. */
export interface RouteFile {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** The family of the routes of a profile; undefined where it has none. */
export const routeFamily = (
  rows: readonly RouteRow[],
  files: ReadonlyMap<string, RouteFile>,
): FamilyDescription | undefined => {
  if (rows.length === 0) return undefined
  const family = { id: ROUTES, errors, respond, wellKnownErrors }
  return {
    ...family,
    section: 'profile',
    title: 'Routes of the profile',
    api: {
      requests: { RouteRequest: z.unknown() },
      responses: { RouteAnswer: z.unknown(), RouteProblem: problem },
      error: 'RouteProblem',
      operations: Object.fromEntries(
        rows.map(({ id, method, summary, forward }) => [
          id,
          {
            summary:
              summary ?? (forward === undefined ? `Answer of the route ${id}` : `Forwarded to ${forward}`),
            response: 'RouteAnswer',
            ...(hasBody(method) ? { body: 'RouteRequest' } : {}),
          },
        ]),
      ),
    },
    operations: () => rows.map((row) => operationOf(row, files.get(row.id))),
  }
}

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'DELETE'

const operationOf = (row: RouteRow, file: RouteFile | undefined): Operation => ({
  id: `${ROUTES}.${row.id}`,
  family: ROUTES,
  section: 'profile',
  route: { method: row.method, path: row.path },
  needsKey: row.needsKey ?? true,
  maxBodyBytes: ({ videoBodyBytes }: Settings) => videoBodyBytes,
  ...(row.forward === undefined ? {} : { takesBytes: true as const }),
  prepare: (call) =>
    row.forward === undefined ? answering(row, file, call) : forwarding(row, row.forward, call),
  refuse: (kind, refusal, requestId) =>
    refusalReply({ errors, respond }, { ...refusal, error: wellKnownErrors[kind] }, requestId),
  wellKnownErrors,
  errors: Object.keys(errors),
  possibleErrors: [...new Set(Object.values(wellKnownErrors))],
  raise: (error, refusal, requestId) => refusalReply({ errors, respond }, { ...refusal, error }, requestId),
})

const answering = (row: RouteRow, file: RouteFile | undefined, call: Call): PreparedCall => ({
  decide: (context) => {
    const { reply, missing } = answerOf(row, file, call, context)
    const warnings = missing.map(
      (path) => `The answer of the profile names {{${path}}}, which is not there: it has null`,
    )
    return asDecision(reply, { ...noMeta, warnings })
  },
})

const answerOf = (
  { answer = {} }: RouteRow,
  file: RouteFile | undefined,
  call: Call,
  context: DecisionContext,
): { readonly reply: Reply; readonly missing: readonly string[] } => {
  const { value, missing } = fillTemplates(
    { headers: answer.headers ?? {}, body: answer.body, text: answer.text },
    valuesOf(call, context),
  )
  const filled = value as { headers: Record<string, unknown>; body: unknown; text: unknown }
  const headers = withOwnNames(
    Object.fromEntries(Object.entries(filled.headers).map(([name, text]) => [name, sendable(String(text))])),
  )
  const reply = { status: answer.status ?? 200, headers, body: filled.body }
  if (file !== undefined)
    return {
      reply: { ...reply, headers: { 'Content-Type': file.contentType, ...headers }, bytes: file.bytes },
      missing,
    }
  if (answer.text !== undefined) {
    const type = { 'Content-Type': 'text/plain; charset=utf-8' }
    return { reply: { ...reply, headers: { ...type, ...headers }, text: String(filled.text) }, missing }
  }
  if (isBodiless(reply.status)) return { reply: { ...reply, ...withoutBody }, missing }
  return { reply: answer.body === undefined ? { ...reply, text: '' } : reply, missing }
}

/** A text as a header can have it: what a client has sent may have other characters, for which a ? stands. */
const sendable = (text: string): string => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')

/** What the templates of a route can name. */
export const templateRoots = [
  'body',
  'path',
  'query',
  'headers',
  'sequence',
  'now',
  'unix',
  'requestId',
] as const

const valuesOf = (
  call: Call,
  { account, now, requestId }: DecisionContext,
): Record<(typeof templateRoots)[number], unknown> => ({
  body: jsonOf(call.body) ?? {},
  path: call.params,
  query: Object.fromEntries(call.query),
  headers: call.headers ?? {},
  // Of the calls of the account, this one included: it is another one each time, and the same in each run.
  sequence: account.requests,
  now: isoOf(now),
  unix: Math.floor(now / SECOND),
  requestId,
})

const forwarding = ({ timeout = FORWARD_TIMEOUT_MS }: RouteRow, base: string, call: Call): PreparedCall => ({
  decide: () => asDecision({ status: 500, body: undefined }),
  outside: async (gone) => {
    const reply = await forwardCall(call, base, timeout, gone)
    return { decide: () => asDecision(reply) }
  },
})
