import express, { type Express } from 'express'
import { randomRequestId } from '../service/request-id.js'
import type { ControlContext } from './context.js'
import { createControl } from './router.js'

/** Express app of the control API. */
export const createControlApp = (context: ControlContext): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((_request, response, next) => {
    response.set({ 'X-Request-Id': randomRequestId(), 'X-Content-Type-Options': 'nosniff' })
    next()
  })
  app.use('/_backlot', createControl(context))
  return app
}
