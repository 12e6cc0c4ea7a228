import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { ControlError, controlErrorBody, systemReason } from '../core/errors.js'
import { PAGE_PATH } from '../core/http.js'
import type { Settings } from '../core/settings.js'
import { packageRoot } from '../package-root.js'
import { randomRequestId } from '../service/request-id.js'
import { endCompressed } from './compressed.js'
import { createGuard } from './guard.js'

/**
 * Request handler of the page's files. Node alone serves them: the page is painted while Express, which its first call of
 * the control API needs, is still to be loaded. The token is not asked for: the files hold nothing, and a browser that opens
 * them cannot send it.
 * @param given the folder of the files; default: that of the build
 */
export const createPage = (settings: Settings, given?: string) => {
  const guard = createGuard({ ...settings, controlToken: undefined })
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('X-Request-Id', randomRequestId())
    try {
      guard(request)
      const path = (request.url ?? '').split('?')[0] as string
      // The files are named relative to the folder.
      if (!path.startsWith(PAGE_PATH)) return void response.writeHead(308, { Location: PAGE_PATH }).end()
      const rest = path.slice(PAGE_PATH.length)
      const name = fileOf(rest)
      const folder = DOCS.test(rest) ? packageRoot() : (given ?? join(packageRoot(), 'dist', 'ui'))
      const content = await readFile(join(folder, name)).catch((error) =>
        Promise.reject(readFailure(name, error)),
      )
      const type = types[extname(name)] ?? 'application/octet-stream'
      response.statusCode = 200
      for (const [header, value] of Object.entries({ ...headers, 'Content-Type': type }))
        response.setHeader(header, value)
      await endCompressed(request, response, content)
    } catch (error) {
      const refused = error as ControlError
      response.writeHead(refused.status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(controlErrorBody(refused)))
    }
  }
}

/** A name that the build gives to a file; a view has no dot in its path. */
const FILE = /^[\w-]+(?:\.[\w-]+)+$/

/** A page of the documentation, to which rules refer. It comes with the package. */
const DOCS = /^docs\/([\w-]+\/)?[\w-]+\.md$/

/** The file of a path: a script or a style by its name, and the document for every other: the page has a URL for each view. */
const fileOf = (path: string): string => (FILE.test(path) || DOCS.test(path) ? path : DOCUMENT)

const DOCUMENT = 'index.html'

const readFailure = (name: string, error: NodeJS.ErrnoException): ControlError => {
  const unreadable = `The page cannot be read: ${systemReason(error)}.`
  if (error.code !== 'ENOENT') return new ControlError(500, 'file-trouble', { message: unreadable })
  if (name === DOCUMENT)
    return new ControlError(404, 'no-page', {
      message: 'The page is not built.',
      hint: 'Run `npm run build`.',
    })
  const message = `The page has no file ${name}.`
  return new ControlError(404, 'no-such-file', { message, hint: 'Load the page anew.' })
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.md': 'text/plain; charset=utf-8',
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
