import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { findFfmpeg } from '../../../../src/emulator/media/render/ffmpeg.js'

/** A picture of one colour, as PNG. */
export const plain = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

// Exact: the builds of ffmpeg for other processors round otherwise where they are free to.
const TO_RGB = 'scale=flags=bicubic+accurate_rnd+full_chroma_int,format=rgb24'

/** The frames of a video as bare pixels, three bytes each. */
export const framesOf = async (path: string, width: number, height: number): Promise<Buffer[]> => {
  const { stdout } = await promisify(execFile)(
    (await findFfmpeg())?.path ?? 'ffmpeg',
    ['-v', 'error', '-i', path, '-vf', TO_RGB, '-f', 'rawvideo', '-'],
    { encoding: 'buffer', maxBuffer: 2 ** 28 },
  )
  const bytes = width * height * 3
  return Array.from({ length: stdout.length / bytes }, (_, index) =>
    stdout.subarray(index * bytes, (index + 1) * bytes),
  )
}

/** What ffmpeg says of a file. */
export const described = async (path: string): Promise<string> => {
  const args = ['-hide_banner', '-i', path, '-f', 'null', '-']
  return (await promisify(execFile)((await findFfmpeg())?.path ?? 'ffmpeg', args)).stderr
}

/** How loud the sound of a file is at its loudest, in dB below the loudest that there can be. */
export const loudnessOf = async (path: string): Promise<number> => {
  const args = ['-hide_banner', '-i', path, '-af', 'volumedetect', '-f', 'null', '-']
  const { stderr } = await promisify(execFile)((await findFfmpeg())?.path ?? 'ffmpeg', args)
  return Number(/max_volume: (\S+) dB/.exec(stderr)?.[1])
}

/** By how much two pictures differ: the mean over all bytes, from 0 to 255. */
export const difference = (one: Buffer, other: Buffer): number => {
  let sum = Math.abs(one.length - other.length) * 255
  for (let index = 0; index < one.length; index++) sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0))
  return sum / one.length
}

export interface Part {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** The mean red, green and blue of a part of a picture. */
export const meanColour = async (image: Buffer, part: Part): Promise<number[]> => {
  const { channels } = await sharp(await sharp(image).extract(part).toBuffer()).stats()
  return channels.slice(0, 3).map(({ mean }) => Math.round(mean))
}
