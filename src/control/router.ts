import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { keyOf } from '../core/account/credentials.js'
import { ControlError, controlErrorBody } from '../core/control-error.js'
import { EmulatorError } from '../core/errors.js'
import { DEFAULT_KEY } from '../core/model/account.js'
import type { AnyAction, ControlContext } from './action.js'
import { actions } from './actions/index.js'
import { guardOf } from './guard.js'
import { describeInputIssues, runAction } from './invoke.js'

/** The control API: each action under its route, JSON in and out. */
export const createControl = (emulator: ControlContext): Router => {
  const router = Router()
  // Fixtures stand for public URLs, so they are served before anybody is asked who they are (gap Z12).
  router.get(
    '/fixtures/:name',
    (request, response, next) => void sendFixture(emulator, request, response).catch(next),
  )
  // Receivers are not asked for the token either: callbacks would have to carry it.
  router.post(
    '/inbox/:name',
    guardOf({ ...emulator.settings, controlToken: undefined }),
    emulator.inbox.receive,
  )
  router.use(guardOf(emulator.settings))
  router.put('/state', express.json({ limit: emulator.settings.stateBodyBytes, type: () => true }))
  router.use(express.json({ limit: '4mb', type: () => true }))
  for (const action of Object.values(actions)) mount(router, emulator, action)
  router.use((request) => {
    throw new ControlError(
      404,
      'no-such-control',
      `The control API has no ${request.method} ${request.baseUrl}${request.path}.`,
      `It has: ${Object.values(actions).map(routeText).join(', ')}.`,
    )
  })
  router.use(sendError)
  return router
}

const routeText = ({ route }: AnyAction): string => `${route.method} /_backlot${route.path}`

const sendFixture = async (
  { fixtures }: ControlContext,
  request: Request,
  response: Response,
): Promise<void> => {
  const name = String(request.params.name)
  const listed = (await fixtures.list()).some((fixture) => fixture.name === name)
  if (!listed)
    throw new ControlError(
      404,
      'no-such-fixture',
      `There is no fixture ${name}.`,
      'GET /_backlot/fixtures lists them.',
    )
  response.set('Access-Control-Allow-Origin', '*')
  response.sendFile(name, { root: fixtures.folder, dotfiles: 'allow' })
}

const mount = (router: Router, emulator: ControlContext, action: AnyAction): void => {
  const verb = action.route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
  router[verb](action.route.path, async (request, response, next) => {
    if (action.claims?.(request.query) === false) return next()
    const key = keyOf(request.headers.authorization) ?? DEFAULT_KEY
    const result = await runAction(emulator, action, key, parsed(action, inputOf(request)))
    if (typeof result === 'string') response.type(action.textType ?? 'application/x-ndjson').send(result)
    else response.json(result)
  })
}

const inputOf = ({ query, body, params }: Request): Record<string, unknown> => {
  const { token: _, ...rest } = query
  return { ...rest, ...(body as object | undefined), ...params }
}

const parsed = (action: AnyAction, input: Record<string, unknown>): Record<string, unknown> => {
  const shape = action.input.safeParse(input)
  if (shape.success) return shape.data
  throw new ControlError(
    400,
    'bad-input',
    describeInputIssues(action.input, shape.error.issues, input),
    `See ${routeText(action)} in docs/control-api.md.`,
  )
}

const sendError: ErrorRequestHandler = (error, _request, response, _next) => {
  const known = error instanceof EmulatorError ? error : asControlError(error)
  response.status(known instanceof ControlError ? known.status : 400).json(controlErrorBody(known))
}

// What is left are refusals of the body reader, which carry a status of their own, and bugs.
const asControlError = (error: { status?: number; message?: string }): ControlError =>
  new ControlError(
    error.status ?? 500,
    error.status === undefined ? 'bug' : 'bad-body',
    String(error.message ?? error),
  )
