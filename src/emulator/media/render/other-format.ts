import { loadSharp } from './sharp.js'

/**
 * A picture in another format, with the same pixels as far as the format allows.
 * @throws EmulatorError `sharp-missing`
 */
export const inFormat = (picture: Buffer, format: 'jpeg' | 'webp'): Promise<Buffer> =>
  loadSharp()(picture).toFormat(format).toBuffer()
