import type { MediaInput } from '../../core/media/spec.js'
import type { DecisionContext } from '../../core/world.js'
import { inputOf } from './inputs.js'
import { isReference, mediaRefOf, mediaWithRoles, type RequestMedium, type Role } from './roles.js'

/** The media of an order as they appear in its video. */
export interface FramesAndReferences {
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
    const found = world.found(url)
    const isVideo = role === 'reference_video' && found?.state === 'read' && found.facts.kind === 'video'
    return isVideo ? sum + found.facts.seconds : sum
  }, 0)
