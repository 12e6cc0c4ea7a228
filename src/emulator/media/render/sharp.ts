import { createRequire } from 'node:module'
import type Sharp from 'sharp'
import { EmulatorError } from '../../core/errors.js'

// Required rather than imported: before Node imports a CommonJS package it searches its source for names, which stops the
// process for longer than loading it does.
const require = createRequire(import.meta.url)

/**
 * Loads sharp when it is first asked for.
 * @throws EmulatorError `sharp-missing` where it is not installed, or not for this platform
 */
export const loadSharp = (): typeof Sharp => {
  try {
    return require('sharp')
  } catch (cause) {
    throw sharpMissing(cause)
  }
}

export const sharpMissing = (cause: unknown): EmulatorError =>
  new EmulatorError('Pictures can neither be rendered nor read here, because sharp does not load.', {
    code: 'sharp-missing',
    // Sharp's own error has the code of Node in its text.
    hint: String(cause).includes('ERR_DLOPEN_DISABLED')
      ? 'Let Node load addons: --allow-addons beside --permission, and no --no-addons.'
      : 'Install the dependencies again on this machine, optional ones included.',
    cause,
  })
