import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Express, Request, Response } from 'express'

/** A request and its answer with what Express adds to them. */
export interface Expressed {
  readonly request: Request
  readonly response: Response
}

export type ToExpress = (request: IncomingMessage, response: ServerResponse) => Promise<Expressed>

/**
 * Hands a request and its answer over to Express. It changes the prototypes of both, which makes everything slower that
 * Node still does with them (docs/decisions/0008): only for calls that are answered with a file.
 */
export const createToExpress = (): ToExpress => {
  const waiting = new WeakMap<IncomingMessage, (expressed: Expressed) => void>()
  const load = async (): Promise<Express> => {
    const { default: express } = await import('express')
    const app = express()
    app.disable('x-powered-by')
    app.disable('etag')
    return app.use((request, response) => waiting.get(request)?.({ request, response }))
  }
  let loading: Promise<Express> | undefined
  return async (request, response) => {
    loading ??= load()
    const app = await loading
    return new Promise((resolve) => {
      waiting.set(request, resolve)
      app(request, response)
    })
  }
}
