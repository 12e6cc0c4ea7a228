import type { MediaInput } from '../../core/media/spec.js'
import type { World } from '../../core/world.js'
import { inputOf } from './inputs.js'
import { castMedia, type GivenMedium, isReference, mentionOf, type Role } from './roles.js'

/** The media of an order as they appear in its video. */
export interface DrawnMedia {
  readonly firstFrame?: MediaInput
  readonly lastFrame?: MediaInput
  readonly references: readonly MediaInput[]
}

export const drawnMedia = (media: readonly GivenMedium[], world: World): DrawnMedia => {
  if (media.length === 0) return withoutMedia
  const parts = castMedia(media)
  const drawn = (role: Role) => {
    const part = parts.find((one) => one.role === role)
    return part === undefined ? undefined : inputOf(mentionOf(part), role, world)
  }
  const [firstFrame, lastFrame] = [drawn('first_frame'), drawn('last_frame')]
  return {
    ...(firstFrame === undefined ? {} : { firstFrame }),
    ...(lastFrame === undefined ? {} : { lastFrame }),
    references: parts
      .filter(({ role }) => isReference(role))
      .map((part) => inputOf(mentionOf(part), part.role, world)),
  }
}

const withoutMedia: DrawnMedia = { references: [] }

/** Seconds of the reference videos, as far as they are known. */
export const referenceSeconds = (media: readonly GivenMedium[], world: World): number =>
  castMedia(media).reduce((sum, { role, url }) => {
    const found = world.found(url)
    const isVideo = role === 'reference_video' && found?.state === 'read' && found.facts.kind === 'video'
    return isVideo ? sum + found.facts.seconds : sum
  }, 0)
