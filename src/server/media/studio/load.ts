import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FfmpegCommand } from 'fluent-ffmpeg'
import type { Opentype } from 'opentype.js'
import type Sharp from 'sharp'

/**
 * The heavy packages, each loaded when it is first asked for. Required rather than imported: before Node imports a
 * CommonJS package it searches its source for names, which stops the process for longer than loading it does.
 */
const require = createRequire(import.meta.url)

export const loadSharp = (): typeof Sharp => require('sharp')

export const loadOpentype = (): Opentype => require('opentype.js')

export const loadFluentFfmpeg = (): (() => FfmpegCommand) => require('fluent-ffmpeg')

/** @throws string or Error where the package has no program for this platform or was not installed */
export const loadFfmpegInstaller = (): { readonly path: string; readonly version: string } =>
  require('@ffmpeg-installer/ffmpeg')

/** Loads what every drawing needs, with a pause between two packages, so that nobody waits for all of them together. */
export const loadOneByOne = async (): Promise<void> => {
  loadSharp()
  await nextTurn()
  loadOpentype()
  await nextTurn()
}
