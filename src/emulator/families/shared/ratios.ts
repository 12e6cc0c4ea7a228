import type { Pixels } from '../../core/media/input.js'

/** The ratios that the video interfaces list, widest first. */
export const ratios = ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'] as const
export type Ratio = (typeof ratios)[number]

/** The same, in the order in which requests list them. */
export const listedRatios: readonly Ratio[] = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']

type Sides = readonly [width: number, height: number]

/** Pixels of a size by ratio. Portrait ratios exchange the sides of the others. */
export const withPortrait = (
  sides: Readonly<Record<Exclude<Ratio, '3:4' | '9:16'>, Sides>>,
): Readonly<Record<Ratio, Pixels>> => {
  const pixelsOf = ([width, height]: Sides): Pixels => ({ width, height })
  const turned = ([width, height]: Sides): Pixels => ({ width: height, height: width })
  return {
    '16:9': pixelsOf(sides['16:9']),
    '4:3': pixelsOf(sides['4:3']),
    '1:1': pixelsOf(sides['1:1']),
    '3:4': turned(sides['4:3']),
    '9:16': turned(sides['16:9']),
    '21:9': pixelsOf(sides['21:9']),
  }
}

const ratioValue = (ratio: string): number => {
  const [width, height] = ratio.split(':').map(Number) as [number, number]
  return width / height
}

/** Ratios from the widest to the narrowest. */
export const widestFirst = <R extends string>(listed: readonly R[]): R[] =>
  listed.toSorted((a, b) => ratioValue(b) - ratioValue(a))

/** The listed ratio nearest to a picture's own, as factors: twice as wide is as far off as half as wide. */
export const nearestRatio = <R extends string = Ratio>(
  { width, height }: Pixels,
  listed: readonly R[] = ratios as unknown as readonly R[],
): R => {
  const distance = (ratio: R) => Math.abs(Math.log(width / height / ratioValue(ratio)))
  // Of two that are as near, the wider one.
  return widestFirst(listed).reduce((nearest, ratio) =>
    distance(ratio) < distance(nearest) ? ratio : nearest,
  )
}
