import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ControlError } from '../core/control-error.js'
import { packageRoot } from '../media/fixtures.js'

/** Where the build puts the files of the page. */
export const pageFolder = (): string => join(packageRoot(), 'dist', 'ui')

/** A name that the build gives to a file; a view has no dot in its path. */
const FILE = /^\/[\w-]+(?:\.[\w-]+)+$/

/**
 * The name of the file that a path below the page's address asks for: a script or a style by its name, and the document
 * for every other path, since the page has a URL for each of its views.
 * @throws ControlError `no-page` or `no-such-file`
 */
export const pageFileOf = (path: string, folder: string): string => {
  if (!existsSync(join(folder, 'index.html')))
    throw new ControlError(404, 'no-page', 'The page is not built.', 'Run `npm run build`.')
  const name = FILE.test(path) ? path.slice(1) : 'index.html'
  if (!existsSync(join(folder, name)))
    throw new ControlError(404, 'no-such-file', `The page has no file ${name}.`, 'Load the page anew.')
  return name
}

/** Nothing but the page's own files runs in it, and no other page can show it in a frame or learn that it was open. */
export const pageHeaders = {
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
