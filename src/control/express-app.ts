import express, { type Express } from 'express'
import type { createService } from '../service/pipeline.js'
import { randomRequestId } from '../service/request-id.js'
import { type createDownload, sendPreflight } from '../service/results.js'
import type { ControlContext } from './action.js'
import { createControl } from './router.js'

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
