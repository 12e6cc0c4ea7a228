import type { Pixels } from '../../core/media/image-size.js'

/** The ratios that the video interfaces list, widest first. */
export const ratios = ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'] as const
export type Ratio = (typeof ratios)[number]

export const ratioOrAdaptive = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'] as const

const asNumber = (ratio: Ratio): number => {
  const [width, height] = ratio.split(':').map(Number) as [number, number]
  return width / height
}

/** The listed ratio nearest to a picture's own, as factors: twice as wide is as far off as half as wide. */
export const nearestRatio = ({ width, height }: Pixels): Ratio => {
  const distance = (ratio: Ratio) => Math.abs(Math.log(width / height / asNumber(ratio)))
  return ratios.reduce((nearest, ratio) => (distance(ratio) < distance(nearest) ? ratio : nearest))
}
