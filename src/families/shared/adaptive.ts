import type { Pixels } from '../../core/media/image-size.js'
import type { DecisionContext } from '../../core/world.js'
import { nearestRatio, type Ratio } from './ratios.js'
import { mediaWithRoles, type RequestMedium } from './roles.js'

/**
 * The ratio that `adaptive` comes to (gap B11): the listed one nearest to the first frame, or to the first visual
 * reference whose size is known; 16:9 where there is none.
 */
export const adaptiveRatio = (media: readonly RequestMedium[], world: DecisionContext): Ratio => {
  const visual = mediaWithRoles(media).filter(({ role, kind }) => kind !== 'audio' && role !== 'last_frame')
  const sizes = visual.flatMap(({ url }): Pixels[] => {
    const found = world.found(url)
    return found?.state === 'read' && found.facts.kind !== 'audio' ? [found.facts] : []
  })
  return sizes[0] === undefined ? '16:9' : nearestRatio(sizes[0])
}
