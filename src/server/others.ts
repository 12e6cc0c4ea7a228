import express, { type Express } from 'express'
import type { ControlContext } from './control/action.js'
import { createControl } from './control/router.js'
import { randomRequestId } from './http/request-id.js'
import type { createService } from './http/service.js'
import type { createDownload } from './results/download.js'
import { sendPreflight } from './results/preflight.js'

export interface ControlAppParts {
  readonly service: ReturnType<typeof createService>
  readonly download: ReturnType<typeof createDownload>
  readonly controlled: ControlContext
}

/** What the emulator serves beside the service: the control API and result files; the service has what is neither. */
export const createExpressApp = ({ service, download, controlled }: ControlAppParts): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use('/_backlot', (_request, response, next) => {
    response.set('X-Request-Id', randomRequestId())
    next()
  })
  app.use('/_backlot', createControl(controlled))
  app.use(async (request, response) => {
    if (request.method === 'OPTIONS' && request.url.startsWith('/results/')) return sendPreflight(response)
    const isResult = ['GET', 'HEAD'].includes(request.method) && (await download(request, response))
    if (!isResult) void service(request, response)
  })
  return app
}
