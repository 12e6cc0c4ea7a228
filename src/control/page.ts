import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Request, type Response, Router } from 'express'
import { ControlError } from '../core/control-error.js'
import { packageRoot } from '../media/fixtures.js'

/**
 * Router of the page's files: scripts and styles under their names, and the document for every other path, since the page
 * has a URL for each of its views.
 * @param folder where the build puts them
 */
export const createPageRouter = (folder = join(packageRoot(), 'dist', 'ui')): Router => {
  const router = Router()
  router.get('/*path', (request, response) => send(request, response, folder))
  router.get('/', (request, response) => {
    // Its files are named relative to the folder.
    if (request.originalUrl.split('?')[0]?.endsWith('/') === false)
      return response.redirect(308, `${request.baseUrl}/`)
    send(request, response, folder)
  })
  return router
}

/** A name that the build gives to a file; a view has no dot in its path. */
const FILE = /^\/[\w-]+(?:\.[\w-]+)+$/

const send = ({ path }: Request, response: Response, folder: string): void => {
  if (!existsSync(join(folder, 'index.html')))
    throw new ControlError(404, 'no-page', 'The page is not built.', 'Run `npm run build`.')
  const name = FILE.test(path) ? path.slice(1) : 'index.html'
  if (!existsSync(join(folder, name)))
    throw new ControlError(404, 'no-such-file', `The page has no file ${name}.`, 'Load the page anew.')
  response.set(headers)
  // Names with a hash never change their contents; the others are asked for again each time.
  response.sendFile(name, { root: folder, maxAge: 0, etag: true })
}

/** Nothing but the page's own files runs in it, and no other page can show it in a frame or learn that it was open. */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
}
