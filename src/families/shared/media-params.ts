import { z } from 'zod'
import type { DecisionContext } from '../../core/contract.js'
import type { Pixels } from '../../core/media/image-size.js'
import type { MediaRef } from '../../core/media/references.js'
import type { MediaInput } from '../../core/media/spec.js'
import { isReference, mediaRefOf, mediaWithRoles, type RequestMedium, type Role } from './media-refs.js'

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

/** A mentioned medium as something to be drawn; without bytes where it was not read. */
export const inputOf = ({ url, wants }: MediaRef, label: string, world: DecisionContext): MediaInput => {
  const found = world.resolvedMedia(url)
  return {
    kind: found?.state === 'read' ? found.facts.kind : wants,
    blob: found?.state === 'read' ? found.blob : null,
    label: found?.state === 'read' || found?.state === 'unseen' ? `${label} ${found.origin}` : label,
  }
}

/** Schema of a medium in stored parameters. */
export const mediaInputSchema = z.object({
  kind: z.enum(['image', 'video', 'audio']),
  blob: z.string().nullable(),
  label: z.string(),
})

/** Fields of stored parameters: the media of an order as they appear in its video. */
export const framesAndReferencesFields = {
  firstFrame: mediaInputSchema.optional(),
  lastFrame: mediaInputSchema.optional(),
  references: z.array(mediaInputSchema).readonly(),
}

interface FramesAndReferences {
  readonly firstFrame?: MediaInput
  readonly lastFrame?: MediaInput
  readonly references: readonly MediaInput[]
}

export const framesAndReferences = (
  media: readonly RequestMedium[],
  world: DecisionContext,
): FramesAndReferences => {
  if (media.length === 0) return withoutMedia
  const parts = mediaWithRoles(media)
  const drawn = (role: Role) => {
    const part = parts.find((one) => one.role === role)
    return part === undefined ? undefined : inputOf(mediaRefOf(part), role, world)
  }
  const [firstFrame, lastFrame] = [drawn('first_frame'), drawn('last_frame')]
  return {
    ...(firstFrame === undefined ? {} : { firstFrame }),
    ...(lastFrame === undefined ? {} : { lastFrame }),
    references: parts
      .filter(({ role }) => isReference(role))
      .map((part) => inputOf(mediaRefOf(part), part.role, world)),
  }
}

const withoutMedia: FramesAndReferences = { references: [] }

/** Seconds of the reference videos, as far as they are known. */
export const referenceSeconds = (media: readonly RequestMedium[], world: DecisionContext): number =>
  mediaWithRoles(media).reduce((sum, { role, url }) => {
    const found = world.resolvedMedia(url)
    const isVideo = role === 'reference_video' && found?.state === 'read' && found.facts.kind === 'video'
    return isVideo ? sum + found.facts.seconds : sum
  }, 0)

/**
 * The ratio that `adaptive` comes to (gap B11): the listed one nearest to the first frame, or to the first visual
 * reference whose size is known; 16:9 where there is none.
 */
export const adaptiveRatio = (media: readonly RequestMedium[], world: DecisionContext): Ratio => {
  const visual = mediaWithRoles(media).filter(({ role, kind }) => kind !== 'audio' && role !== 'last_frame')
  const sizes = visual.flatMap(({ url }): Pixels[] => {
    const found = world.resolvedMedia(url)
    return found?.state === 'read' && found.facts.kind !== 'audio' ? [found.facts] : []
  })
  return sizes[0] === undefined ? '16:9' : nearestRatio(sizes[0])
}
