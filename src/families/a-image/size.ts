import type { Refusal } from '../../core/problem.js'
import { mustBe } from '../../core/request/must-be.js'
import type { World } from '../../core/world.js'
import type { Pixels } from '../shared/ratios.js'
import { imagesOf, promptOf } from './content.js'
import type { ImageError } from './errors.js'
import type { AnyImageInput } from './schema.js'

const LEAST_AREA = 512 * 512
const MOST_AREA = 2048 * 2048
const MOST_RATIO = 8

const FIELD = 'parameters.size'
const HOW = 'width*height in pixels, such as 1024*1024'

/** Pixels of a `size` text; undefined when it is not `width*height` (defaults A4: only the asterisk separates). */
export const parseSize = (size: string): Pixels | undefined => {
  const match = /^([1-9]\d{0,4})\*([1-9]\d{0,4})$/.exec(size)
  return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) }
}

export const sizeIsWellFormed = (size: string): Refusal<ImageError> | undefined =>
  parseSize(size) === undefined ? mustBe('InvalidParameter', FIELD, HOW, size) : undefined

export const areaIsAllowed = (size: string): Refusal<ImageError> | undefined => {
  const pixels = parseSize(size)
  if (pixels === undefined) return undefined
  const area = pixels.width * pixels.height
  if (area >= LEAST_AREA && area <= MOST_AREA) return undefined
  return mustBe('InvalidParameter', FIELD, 'of an area from 512*512 to 2048*2048 pixels', size)
}

export const ratioIsAllowed = (size: string): Refusal<ImageError> | undefined => {
  const pixels = parseSize(size)
  if (pixels === undefined) return undefined
  const { width, height } = pixels
  if (width <= MOST_RATIO * height && height <= MOST_RATIO * width) return undefined
  return mustBe('InvalidParameter', FIELD, 'of an aspect ratio from 1:8 to 8:1', size)
}

/** The pixels of the result: what was asked for, or what the model picks (defaults A3). */
export const pixelsOf = (input: AnyImageInput, world: World): Pixels => {
  const { size } = input.parameters
  if (size !== undefined) return parseSize(size) as Pixels
  return imagesOf(input).length > 0 ? likeLastImage(input, world) : likePrompt(promptOf(input).text, world)
}

// Words in Latin letters are matched whole; Chinese has no spaces to tell a word by.
const spokenSizes: readonly (readonly [RegExp, Pixels])[] = [
  [/\bwide(screen)?\b|宽屏/i, { width: 2688, height: 1536 }],
  [/\btall\b|竖长/i, { width: 1536, height: 2688 }],
  [/\blandscape\b|横版|横幅/i, { width: 2368, height: 1728 }],
  [/\bportrait\b|竖版|竖幅/i, { width: 1728, height: 2368 }],
]

const likePrompt = (prompt: string, { settings }: World): Pixels =>
  (settings.defaultImageSize === undefined ? undefined : parseSize(settings.defaultImageSize)) ??
  spokenSizes.find(([words]) => words.test(prompt))?.[1] ?? { width: 2048, height: 2048 }

const STEP = 16

const likeLastImage = (input: AnyImageInput, world: World): Pixels => {
  const found = world.found(imagesOf(input).at(-1)?.url ?? '')
  if (found?.state !== 'read' || found.facts.kind !== 'image') return { width: 2048, height: 2048 }
  const ratio = Math.min(MOST_RATIO, Math.max(1 / MOST_RATIO, found.facts.width / found.facts.height))
  const width = downToStep(Math.sqrt(MOST_AREA * ratio))
  const height = downToStep(Math.sqrt(MOST_AREA / ratio))
  // Stepping down can push a picture of 8:1 past the ratio that a size may have.
  return { width: Math.min(width, MOST_RATIO * height), height: Math.min(height, MOST_RATIO * width) }
}

// Down rather than to the nearest, so that the area never passes the limit.
const downToStep = (pixels: number): number => Math.floor(pixels / STEP) * STEP
