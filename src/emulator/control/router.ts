import { pipeline } from 'node:stream/promises'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { DEFAULT_KEY } from '../core/account/account.js'
import { keyOf } from '../core/account/account-id.js'
import {
  ClientDisconnected,
  ControlError,
  controlErrorBody,
  EmulatorError,
  isStoreError,
} from '../core/errors.js'
import { type FileSpec, type MediaSpec, posterOf } from '../core/media/spec.js'
import { mediaOf } from '../core/model/task.js'
import { valuesWithin } from '../core/request.js'
import { nearest } from '../core/suggest.js'
import { randomRequestId } from '../service/request-id.js'
import type { AnyAction, ControlContext, TextStream } from './action.js'
import { type ActionName, actions } from './actions/index.js'
import { endCompressed } from './compressed.js'
import { createGuard } from './guard.js'
import { invokeAction, routeText } from './invoke.js'

/** Express app of the control API. */
export const createControlApp = (context: ControlContext): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((_request, response, next) => {
    response.set({ 'X-Request-Id': randomRequestId(), 'X-Content-Type-Options': 'nosniff' })
    next()
  })
  app.use('/_backlot', createRouter(context))
  return app
}

/** Router of the control API: each action under its route, JSON in and out. */
const createRouter = (context: ControlContext): Router => {
  const { settings, inbox } = context
  const router = Router()
  // Fixtures stand for public URLs, so they are served before the guard (gap Z12).
  router.get('/fixtures/:name', (request, response) => sendFixture(context, request, response))
  // Receivers are not asked for the token either: callbacks would have to carry it.
  const guardWithoutToken = createGuard({ ...settings, controlToken: undefined })
  router.post('/inbox/:name', async (request, response) => {
    guardWithoutToken(request)
    await inbox.receive(request, response, request.params.name)
  })
  const guard = createGuard(settings)
  router.use((request, _response, next) => {
    guard(request)
    next()
  })
  router.get('/results/:task/:index', (request, response) => sendPreview(context, request, response))
  router.get('/results/:task/:index/poster', (request, response) =>
    sendPreview(context, request, response, posterOf),
  )
  router.put(STATE_PATH, jsonBody(settings.stateBodyBytes))
  router.use(jsonBody(MAX_BODY_BYTES, MAX_JSON_VALUES))
  for (const name of Object.keys(actions) as ActionName[]) mount(router, context, name)
  router.use((request) => {
    throw noSuchRoute(request.method, request.path.replace(/\/$/, ''))
  })
  router.use(createSendError(context))
  return router
}

/** Refusal of a path or a method that there is not, with the routes that were probably meant. */
const noSuchRoute = (method: string, path: string): ControlError => {
  const message = `The control API has no ${method} /_backlot${path}.`
  return new ControlError(404, 'no-such-control', { message, hint: routeHint(method, path) })
}

const routeHint = (method: string, path: string): string => {
  const segments = path.split('/')
  const routes = Object.values<AnyAction>(actions).map((action) => routeAt(segments, action))
  const here = routes.filter((route) => route.path === path)
  // One that changes something can be at the plural or the singular of a path that is only read.
  const beside = routes.filter((route) => route.method !== 'GET' && differInPlural(route.path, path))
  if (here.length > 0) return `It has: ${textsOf([...here, ...beside]).join(', ')}.`
  const sharing = routes.filter(({ words }) => words.some((word) => segments.includes(word)))
  const begun = routes.filter(({ words }) => words.some((word) => segments.some(isBeginningOf(word))))
  const related = [sharing, begun, routes].find(({ length }) => length > 0) ?? []
  const similar = related.filter((route) => route.method === method && route.length === segments.length)
  const paths = similar.map((route) => route.path)
  const meant = nearest(path, paths)
  return meant === undefined
    ? `It has: ${textsOf(related).join(', ')}.`
    : `Did you mean ${textsOf(similar.filter((route) => route.path === meant)).join(' or ')}?`
}

/** Route of an action beside the segments of a path. A parameter may be anything, so that only words can be misspelt. */
const routeAt = (segments: readonly string[], action: AnyAction) => {
  const parts = action.route.path.split('/')
  const isParameter = (part: string) => part.startsWith(':')
  return {
    method: action.route.method,
    text: routeText(action),
    words: parts.filter((part) => part !== '' && !isParameter(part)),
    path: parts.map((part, index) => (isParameter(part) ? (segments[index] ?? part) : part)).join('/'),
    length: parts.length,
  }
}

const isBeginningOf = (word: string) => (segment: string) => segment.length > 2 && word.startsWith(segment)

const differInPlural = (one: string, other: string): boolean => `${one}s` === other || `${other}s` === one

// Actions can share a route.
const textsOf = (routes: readonly { readonly text: string }[]): string[] => [
  ...new Set(routes.map(({ text }) => text)),
]

const MAX_BODY_BYTES = 4 * 2 ** 20

/** Path of the bodies that have a limit of their own. */
const STATE_PATH = '/state'

/** Maximum depth of JSON: deeper values exhaust the stack of recursive functions. A state document is about 15 deep. */
const MAX_JSON_DEPTH = 200

/** Maximum number of JSON values: more take long to parse and to validate. Scenarios of thousands of steps have fewer. */
const MAX_JSON_VALUES = 20_000

/** Reads JSON bodies whatever their content type, uncompressed, of limited size, depth and number of values. */
const jsonBody = (bytes: number, values = Number.POSITIVE_INFINITY): RequestHandler => {
  const parse = express.json({
    limit: bytes,
    // A few kilobytes of gzip can be gigabytes of JSON.
    inflate: false,
    // What is no object is refused as such by the action, and is JSON all the same.
    strict: false,
    type: () => true,
    // V8 takes seconds for an object of some hundred thousand keys, which is refused anyway.
    verify: (_request, _response, text) => {
      if (hasMoreItems(text, values)) throw tooManyValues(values)
    },
  })
  return (request, response, next) => {
    // A state has been read by then, within limits of its own.
    if (request.body !== undefined) return next()
    parse(request, response, (error) => {
      const isRefused = (error as { type?: unknown } | undefined)?.type === 'entity.verify.failed'
      next(isRefused ? tooManyValues(values) : (error ?? refusalOfSize(request.body, values)))
    })
  }
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]

/** Whether JSON has more commas than a number, outside of its strings: each is behind a value. */
const hasMoreItems = (text: Uint8Array, max: number): boolean => {
  let commas = 0
  let isString = false
  for (let at = 0; at < text.length && commas <= max; at += 1) {
    const byte = text[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) isString = !isString
    else if (byte === COMMA && !isString) commas += 1
  }
  return commas > max
}

const tooManyValues = (max: number): ControlError =>
  badBody(400, `The body holds more than ${max} values.`, 'Send fewer.')

const refusalOfSize = (body: unknown, maxValues: number): ControlError | undefined => {
  const values = valuesWithin(body, MAX_JSON_DEPTH, maxValues)
  if (values === Number.POSITIVE_INFINITY)
    return badBody(400, `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`)
  return values > maxValues ? tooManyValues(maxValues) : undefined
}

const badBody = (status: number, message: string, hint?: string): ControlError =>
  new ControlError(status, 'bad-body', { message, hint })

const sendFixture = async ({ fixtures }: ControlContext, request: Request, response: Response) => {
  const name = String(request.params.name)
  const isListed = (await fixtures.list()).some((fixture) => fixture.name === name)
  // Express takes a slash at the end for none.
  if (!isListed || request.path.endsWith('/'))
    throw new ControlError(404, 'no-such-fixture', {
      message: `There is no fixture ${request.path.endsWith('/') ? `${name}/` : name}.`,
      hint: 'GET /_backlot/fixtures lists them.',
    })
  response.set('Access-Control-Allow-Origin', '*')
  response.sendFile(name, { root: fixtures.folder })
}

const mount = (router: Router, context: ControlContext, name: ActionName): void => {
  const { route, matches, textType }: AnyAction = actions[name]
  const verb = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  router[verb](route.path, async (request, response, next) => {
    if (matches?.(request.query) === false) return next()
    const disconnected = new AbortController()
    response.once('close', () => disconnected.abort())
    const result = await invokeAction(context, name, keyIn(request), inputOf(request), disconnected.signal)
    if (isStream(result)) return sendStream(response.type(textType ?? 'text/plain'), result)
    if (typeof result === 'string') response.type(textType ?? 'application/x-ndjson').send(result)
    else await endCompressed(request, response.type('json'), JSON.stringify(result))
  })
}

const keyIn = ({ headers }: Request): string => keyOf(headers.authorization) ?? DEFAULT_KEY

/**
 * Preview of a result, for people who look at it. It is no download of a client: no scenario acts, the journal does not list
 * it, and it works after the URL of the result has expired.
 * @param fileOf the file to send of a result: itself, or its poster
 */
const sendPreview = async (
  { store, renderer }: ControlContext,
  request: Request,
  response: Response,
  fileOf: (spec: MediaSpec) => FileSpec = (spec) => spec,
) => {
  const { task: id, index } = request.params
  const spec = await store.read(keyIn(request), ({ tasks }, now) => {
    const last = tasks.get(String(id))?.timeline.at(-1)
    return last === undefined || last.at > now ? undefined : mediaOf(last.value)[Number(index)]
  })
  if (spec === undefined)
    throw new ControlError(404, 'no-such-result', {
      message: `The task ${id} has no result ${index}.`,
      hint: 'GET /_backlot/results lists those there are; the Authorization header selects the account.',
    })
  if (response.closed) return
  const ending = new AbortController()
  response.once('close', () => ending.abort())
  const file = await renderer.open(fileOf(spec), ending.signal).catch((error: unknown) => {
    if (!response.closed) throw error
  })
  if (file === undefined || response.closed) return file?.release()
  response.once('close', file.release)
  response.set('Cache-Control', 'no-store').type(file.contentType)
  response.sendFile(file.path, { cacheControl: false, dotfiles: 'allow' })
}

const isStream = (result: unknown): result is TextStream =>
  result !== null && typeof result === 'object' && Symbol.asyncIterator in result

/** Sends text as it is made, no faster than the client reads, until either side ends it. */
const sendStream = async (response: Response, stream: TextStream): Promise<void> => {
  // A client can leave before its stream begins.
  if (response.closed) return stream.stop()
  response.once('close', stream.stop)
  response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
  response.flushHeaders()
  await pipeline(stream, response).catch((error) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

// Query and parameters are added to the body itself: a copy of a large body takes long.
const inputOf = ({ query, body = {}, params, headers }: Request): Record<string, unknown> => {
  if (body === null || typeof body !== 'object') return body
  const { token: _, ...rest } = query
  const after = headers['last-event-id']
  const ofQuery = { ...rest, ...(after === undefined ? {} : { after }) }
  for (const [place, given] of Object.entries({ query: ofQuery, path: params }))
    for (const [name, value] of Object.entries(given)) {
      if (Object.hasOwn(body, name) && body[name] !== value)
        throw new ControlError(400, 'bad-input', {
          message: `${name} is in the ${place}, and given once more.`,
          hint: 'Leave one out.',
        })
      // Defined, not assigned: a name such as __proto__ is an unknown parameter like any other.
      Object.defineProperty(body, name, { value, enumerable: true, writable: true, configurable: true })
    }
  return body
}

const createSendError =
  ({ quotas, onInternalError }: ControlContext): ErrorRequestHandler =>
  (error, { path }, response, _next) => {
    if (error instanceof ClientDisconnected) return void response.destroy()
    const known = error instanceof EmulatorError ? error : asControlError(error, path)
    if (known.code === 'bug') onInternalError(error)
    if (error.type === TOO_LARGE && path === STATE_PATH) quotas.refuse('state-bodies')
    const status = statusOf(known)
    if (status === 429 || status === 503) response.set('Retry-After', '1')
    response.status(status).json(controlErrorBody(known))
  }

const statusOf = (error: EmulatorError): number => {
  if (error instanceof ControlError) return error.status
  return isStoreError(error) ? 503 : (statuses[error.code] ?? 400)
}

/** Statuses of errors that the parts behind the control API throw; 400 for any other. */
const statuses: Readonly<Record<string, number>> = {
  'unknown-callback': 404,
  'callback-waiting': 409,
  'unknown-scenario': 404,
}

interface BodyError {
  readonly status?: number
  readonly type?: string
  readonly limit?: number
  readonly message?: string
}

/** Type of a body reader's error. */
const TOO_LARGE = 'entity.too.large'

// Anything else is a refusal of the body reader, which has a status, or an unexpected error.
const asControlError = (error: BodyError, path: string): ControlError => {
  const { status, type, limit, message = String(error) } = error
  if (status === undefined) return new ControlError(500, 'bug', { message })
  if (type === TOO_LARGE) {
    const hint = path === STATE_PATH ? 'Raise the setting stateBodyBytes.' : 'Send less at once.'
    return badBody(status, `The request body is larger than the ${limit} bytes that it may have.`, hint)
  }
  if (type !== 'entity.parse.failed') return badBody(status, message)
  return badBody(status, `The request body is not JSON: ${message}.`, 'Send one JSON object.')
}
