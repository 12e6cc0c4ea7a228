import { EmulatorError } from '../../../../core/emulator-error.js'

/** Something is wrong with what ffmpeg did, in a sentence. */
export const ffmpegFailed = (message: string, cause?: unknown): EmulatorError =>
  new EmulatorError(message, {
    code: 'ffmpeg-failed',
    hint: 'Run `backlot doctor`, which says which ffmpeg is used; one with libx264 and aac is needed.',
    cause,
  })

export const otherwiseWritten = (): EmulatorError =>
  ffmpegFailed('ffmpeg wrote H.264 with tools that it was asked not to use.')
