import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import type Sharp from 'sharp'
import { EmulatorError } from '../../core/errors.js'
import type { MediaSpec } from '../../core/media/spec.js'

/**
 * The heavy packages, each loaded when it is first asked for. Required rather than imported: before Node imports a
 * CommonJS package it searches its source for names, which stops the process for longer than loading it does.
 */
const require = createRequire(import.meta.url)

/** @throws EmulatorError `sharp-missing` where it is not installed, or not for this platform */
export const loadSharp = (): typeof Sharp => {
  try {
    return require('sharp')
  } catch (cause) {
    throw sharpMissing(cause)
  }
}

export const sharpMissing = (cause: unknown): EmulatorError =>
  new EmulatorError('Pictures can neither be drawn nor read here, because sharp does not load.', {
    code: 'sharp-missing',
    hint: 'Install the dependencies again on this machine, optional ones included.',
    cause,
  })

export const loadFluentFfmpeg = (): (() => FfmpegCommand) => require('fluent-ffmpeg')

/** @throws string or Error where the package has no program for this platform or was not installed */
export const loadFfmpegInstaller = (): { readonly path: string; readonly version: string } =>
  require('@ffmpeg-installer/ffmpeg')

/** Loads what a drawing needs, with a pause between two packages, so that nobody waits for all of them together. */
export const loadOneByOne = async (kind: MediaSpec['kind']): Promise<void> => {
  belowSharp ??= loadBelowSharp()
  await belowSharp
  loadSharp()
  await nextTurn()
  if (kind !== 'video') return
  loadFluentFfmpeg()
  await nextTurn()
}

// What sharp loads is half of its own time to load, and the range is half of what it loads first. Where a version of it
// has no such package, it has its reasons.
const BELOW_SHARP = ['semver/classes/range', 'semver', 'detect-libc', '@img/colour']

let belowSharp: Promise<void> | undefined

const loadBelowSharp = async (): Promise<void> => {
  for (const name of BELOW_SHARP) {
    try {
      createRequire(require.resolve('sharp'))(name)
    } catch {}
    await nextTurn()
  }
}
