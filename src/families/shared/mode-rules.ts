import type { DecisionContext, Rule } from '../../core/contract.js'
import type { Refusal } from '../../core/errors.js'
import { mustBe, mustBeButHas } from '../../core/request.js'
import {
  assignRoles,
  isReference,
  kindOfRole,
  type NamedRole,
  type RequestMedium,
  type Role,
} from './schema.js'

/** How many media of a role a request may hold (§F media limits, gap B9). */
const most: Readonly<Record<Role, number>> = {
  first_frame: 1,
  last_frame: 1,
  reference_image: 9,
  reference_video: 3,
  reference_audio: 3,
}

type MediaOf<In> = (input: In) => readonly RequestMedium[]

/**
 * Which media may stand together (§C modes, §F roles, gap B9, C10, F13). The families ask the
 * same and differ in the name of the error.
 * @param rolesBeside roles of items that are no media (§F content); undefined where there are none
 */
export const modeRules = <In, E extends string>(
  error: E,
  mediaOf: MediaOf<In>,
  place: string,
  rolesBeside: (input: In) => readonly NamedRole[] = () => [],
): Rule<In, E>[] => {
  const rule = (id: string, says: string, check: Check): Rule<In, E> => ({
    id,
    says,
    place,
    check: (input, world) => {
      const [media, beside] = [mediaOf(input), rolesBeside(input)]
      if (media.length === 0 && beside.length === 0) return undefined
      const refusal = check(media, world, beside)
      return refusal === undefined ? undefined : { ...refusal, error }
    },
  })
  return [
    rule('role-fits-kind', 'The role of a medium is one for its kind.', roleFitsKind),
    rule('every-image-has-a-role', 'An image without a role is the only image.', everyImageHasARole),
    rule(
      'frames-or-references',
      'Frame roles and reference roles do not stand together.',
      framesOrReferences,
    ),
    rule('role-counts', 'At most 1 first frame, 1 last frame, 9 images, 3 videos and 3 audios.', roleCounts),
    rule('last-frame-needs-first', 'A last frame has a first frame beside it.', lastFrameNeedsFirst),
    rule('audio-is-not-alone', 'An audio reference has a visual reference beside it.', audioIsNotAlone),
  ]
}

type Check = (
  media: readonly RequestMedium[],
  world: DecisionContext,
  beside: readonly NamedRole[],
) => Omit<Refusal, 'error'> | undefined

const roleFitsKind: Check = (media) => {
  const misfit = media.find(({ role, kind }) => role !== undefined && kindOfRole[role] !== kind)
  return misfit && mustBe('', misfit.roleField, `a role for ${misfit.kind} media`, misfit.role)
}

const everyImageHasARole: Check = (media) => {
  const without = assignRoles(media).find(({ role }) => role === undefined)
  return without && mustBe('', without.roleField, 'named where there is more than one image', undefined)
}

const framesOrReferences: Check = (media, _, beside) => {
  const parts = [...assignRoles(media), ...beside]
  const frame = parts.find(({ role }) => role !== undefined && !isReference(role))
  const reference = parts.find(({ role }) => isReference(role))
  if (frame === undefined || reference === undefined) return undefined
  // An image without a role was not meant as a frame: the error asks for its role.
  const isNamed = [...media, ...beside].some(({ item, role }) => item === frame.item && role !== undefined)
  if (!isNamed)
    return mustBe('', frame.roleField, `named beside ${reference.item} (${reference.role})`, undefined)
  return mustBe(
    '',
    reference.roleField,
    `no reference role beside ${frame.item} (${frame.role})`,
    reference.role,
  )
}

const roleCounts: Check = (media) => {
  const parts = assignRoles(media)
  for (const [role, limit] of Object.entries(most)) {
    const ofRole = parts.filter((part) => part.role === role)
    const surplus = ofRole[limit]
    if (surplus !== undefined) return tooMany(role, limit, ofRole.length, surplus.item)
  }
  return undefined
}

const tooMany = (role: string, limit: number, count: number, item: string): Omit<Refusal, 'error'> => ({
  field: item,
  found: count,
  allowed: `at most ${limit} of role ${role}`,
  message: `${item} must be left out: at most ${limit} of role ${role} ${limit === 1 ? 'is' : 'are'} allowed, found ${count}`,
})

const lastFrameNeedsFirst: Check = (media) => {
  const parts = assignRoles(media)
  const last = parts.find(({ role }) => role === 'last_frame')
  if (last === undefined || parts.some(({ role }) => role === 'first_frame')) return undefined
  return mustBeButHas('', last.roleField, 'last_frame only beside a first_frame', 'last_frame alone')
}

// Refused unless the setting allowAudioOnly is on: the table of modes can be read either way (gap Z4).
const audioIsNotAlone: Check = (media, { settings }) => {
  const parts = assignRoles(media)
  const audio = parts.find(({ role }) => role === 'reference_audio')
  const isAlone = audio !== undefined && parts.every(({ role }) => role === 'reference_audio')
  if (!isAlone || settings.allowAudioOnly) return undefined
  return mustBeButHas('', audio.item, 'used beside a reference image or video', 'audio alone')
}
