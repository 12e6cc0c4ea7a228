import express, { type Express, type Router } from 'express'
import type { createService } from './http/service.js'
import type { createDownload } from './results/download.js'

export interface AppParts {
  readonly service: ReturnType<typeof createService>
  readonly download: ReturnType<typeof createDownload>
  readonly control: Router
}

export const CONTROL_ROOT = '/_backlot'

/** The three things that the emulator serves: result files, the control API, and the service for all the rest. */
export const createApp = ({ service, download, control }: AppParts): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use((request, response, next) => {
    const isService = !request.url.startsWith('/results/') && !request.url.startsWith(CONTROL_ROOT)
    if (isService) void service(request, response)
    else next()
  })
  app.use('/_backlot', control)
  app.use(async (request, response) => {
    const isResult = ['GET', 'HEAD'].includes(request.method) && (await download(request, response))
    if (!isResult) void service(request, response)
  })
  return app
}
