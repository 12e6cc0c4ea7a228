import type { Pixels } from '../../core/media/image-size.js'
import { MAX_AREA, MAX_RATIO, parseSize } from '../../core/media/image-size.js'
import type { DecisionContext } from '../../core/world.js'
import { imagesOf, promptOf } from './content.js'
import type { AnyImageInput } from './schema.js'

/** The pixels of the result: what was asked for, or what the model picks (gap A3). */
export const pixelsOf = (input: AnyImageInput, world: DecisionContext): Pixels => {
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

const likePrompt = (prompt: string, { settings }: DecisionContext): Pixels =>
  (settings.defaultImageSize === undefined ? undefined : parseSize(settings.defaultImageSize)) ??
  spokenSizes.find(([words]) => words.test(prompt))?.[1] ?? { width: 2048, height: 2048 }

const STEP = 16

const likeLastImage = (input: AnyImageInput, world: DecisionContext): Pixels => {
  const found = world.found(imagesOf(input).at(-1)?.url ?? '')
  if (found?.state !== 'read' || found.facts.kind !== 'image') return { width: 2048, height: 2048 }
  const ratio = Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, found.facts.width / found.facts.height))
  const width = downToStep(Math.sqrt(MAX_AREA * ratio))
  const height = downToStep(Math.sqrt(MAX_AREA / ratio))
  // Stepping down can push a picture of 8:1 past the ratio that a size may have.
  return { width: Math.min(width, MAX_RATIO * height), height: Math.min(height, MAX_RATIO * width) }
}

// Down rather than to the nearest, so that the area never passes the limit.
const downToStep = (pixels: number): number => Math.floor(pixels / STEP) * STEP
