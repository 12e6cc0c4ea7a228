import { createRequire } from 'node:module'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import type Sharp from 'sharp'
import { EmulatorError } from '../../core/errors.js'

/**
 * The heavy packages, each loaded when it is first asked for. Required rather than imported: before Node imports a
 * CommonJS package it searches its source for names, which stops the process for longer than loading it does.
 */
const require = createRequire(import.meta.url)

const INSTALL_AGAIN = 'Install the dependencies again on this machine, optional ones included.'

/** @throws EmulatorError `sharp-missing` where it is not installed, or not for this platform */
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
    hint: INSTALL_AGAIN,
    cause,
  })

/** @throws EmulatorError `fluent-ffmpeg-missing` where it is not installed */
export const loadFluentFfmpeg = (): (() => FfmpegCommand) => {
  try {
    return require('fluent-ffmpeg')
  } catch (cause) {
    throw new EmulatorError('Videos cannot be rendered here, because fluent-ffmpeg does not load.', {
      code: 'fluent-ffmpeg-missing',
      hint: INSTALL_AGAIN,
      cause,
    })
  }
}

/** @throws string or Error where the package has no program for this platform or was not installed */
export const loadFfmpegInstaller = (): { readonly path: string; readonly version: string } =>
  require('@ffmpeg-installer/ffmpeg')
