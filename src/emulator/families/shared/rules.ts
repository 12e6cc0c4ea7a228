import { balanceOf } from '../../core/account/account.js'
import type { DecisionContext, Rule, RuleRefusal, StatedRule } from '../../core/contract.js'
import { counted } from '../../core/count-words.js'
import type { MediaFacts, MediaKind, MediaRef, ResolvedMedia } from '../../core/media/input.js'
import type { RefusalDetails } from '../../core/model/call.js'
import { expectedButFound, mustBe } from '../../core/request.js'
import {
  type ItemWithRole,
  isHttpUrl,
  isReference,
  kindOfRole,
  type RequestMedium,
  type Role,
  type TextField,
} from './schema.js'

/** The account has accepted the asset library user agreement (§Agreement, gap X5). */
export const accountHasAgreed = <E extends string>(error: E): Rule<unknown, E> => ({
  id: 'account-has-agreed',
  says: 'The account has accepted the asset library user agreement.',
  place: 'docs/families/every-family.md#agreement, docs/gaps.md#x5',
  check: (_, { account }) => {
    if (account.agreementAccepted) return undefined
    const message = 'Asset library user agreement not accepted'
    return { error, found: false, allowed: 'agreementAccepted: true', message }
  },
})

/** The balance is positive: video is paid for when it succeeds (§Balance, gap X4). */
export const balanceIsPositive = <E extends string>(error: E): Rule<unknown, E> => ({
  id: 'balance-is-positive',
  says: 'The balance of the account is above 0.',
  place: 'docs/families/every-family.md#balance, docs/gaps.md#x4',
  check: (_, { account }) => {
    const balance = balanceOf(account)
    if (balance > 0) return undefined
    const message = `The account has an insufficient balance (${balance})`
    return { error, found: balance, allowed: 'a balance above 0', message }
  },
})

/** The account has room for one more unfinished task (gap X6, Z8). */
export const tasksInFlightAreFew = <E extends string>(error: E): Rule<unknown, E> => ({
  id: 'tasks-in-flight',
  says: 'The account has fewer unfinished tasks than its limit tasksInFlight.',
  place: 'docs/gaps.md#x6',
  check: (_, { account }) => {
    const max = account.limits.tasksInFlight
    const { inFlight } = account.tasks.usage
    if (max === null || inFlight < max) return undefined
    const allowed = `at most ${max} tasks in flight`
    const message = `The account has ${inFlight} of at most ${max} tasks in flight`
    // The end of a task is a time of a clock that may be moved by hand, and clients wait in real time.
    return { error, found: inFlight, allowed, message, retryAfterSeconds: 1 }
  },
})

/** Moderation rule: no text of the prompt holds a word that the settings have refused (gap A9, Z31). */
export const promptPassesModeration = <E extends string>(
  error: E,
): Rule<{ readonly texts: readonly TextField[] }, E> => ({
  id: 'prompt-passes-moderation',
  says: 'The prompt holds no word of the setting moderationWords.',
  place: 'docs/gaps.md#a9, docs/gaps.md#z31',
  check: ({ texts }, { settings: { moderationWords } }) => {
    const refused = texts.find(({ text }) => moderationWords.some((word) => text.includes(word)))
    if (refused === undefined) return undefined
    const { field, text } = refused
    const allowed = 'a prompt without words of the setting moderationWords'
    return { error, field, found: text, allowed, message: `${field} may contain sensitive content` }
  },
})

export type MediaForm = 'url' | 'base64' | 'asset'

const formWords: Readonly<Record<MediaForm, string>> = {
  url: 'a public HTTP or HTTPS URL',
  base64: 'Base64 as data:{MIME_type};base64,{data}',
  asset: 'asset://<asset_id>',
}

/** Form of a media field: how it is written; undefined for anything else. */
export const formOf = (url: string): MediaForm | undefined => {
  if (/^data:[^,]{0,200};base64,/i.test(url)) return 'base64'
  if (/^asset:\/\/./.test(url)) return 'asset'
  return isHttpUrl(url) ? 'url' : undefined
}

interface WithMedia {
  readonly mediaRefs: readonly MediaRef[]
}

type MediumCheck<E extends string> = (
  ref: MediaRef,
  medium: ResolvedMedia | undefined,
  context: DecisionContext,
) => RuleRefusal<E> | undefined

/** Check of all media references; the first refusal counts. */
const firstRefused =
  <E extends string>(check: MediumCheck<E>): Rule<WithMedia, E>['check'] =>
  ({ mediaRefs }, context) => {
    for (const ref of mediaRefs) {
      const refusal = check(ref, context.resolvedMedia(ref.url), context)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

/** Every media field is written in a form that the interface takes. */
export const mediaFormIsAllowed = (
  place: string,
  forms: (context: DecisionContext, field: string) => readonly MediaForm[],
): Rule<WithMedia, never> => ({
  id: 'media-form',
  says: 'Every media field is written in a form that the interface takes.',
  place,
  check: firstRefused(({ field, url }, _, context) => {
    const form = formOf(url)
    const allowed = forms(context, field)
    if (form !== undefined && allowed.includes(form)) return undefined
    return mustBe(field, allowed.map((name) => formWords[name]).join(', or '), url)
  }),
})

/** Formats by the kind of medium, in words that end "allowed: …". */
type FormatWords = Readonly<Record<MediaKind, string>>

/** Formats that can be read here: what is allowed where a chapter names no formats of its own. */
export const readableFormats: FormatWords = {
  image: 'JPEG, PNG, WEBP, BMP, TIFF, GIF, HEIC, HEIF or AVIF',
  video: 'MP4 or MOV',
  audio: 'WAV or MP3',
}

/** Every medium that is to be read can be read (gap Z1, A1, B10). `unreachable`: the error where nothing is there. */
export const mediaAreReadable = <E extends string = never>(
  formats: FormatWords = readableFormats,
  unreachable?: E,
): Rule<WithMedia, E> => ({
  id: 'media-can-be-had',
  says: 'Every medium that is read is there, is whole, and is what its bytes say it is.',
  place: 'docs/gaps.md#z1, docs/gaps.md#b10',
  check: firstRefused(({ field, url, wants }, medium) => {
    if (medium?.state !== 'refused' || medium.reason === 'form') return undefined
    const { reason, detail } = medium
    const error = reason === 'unreachable' ? unreachable : undefined
    const message = `${field} cannot be used: ${detail}`
    if (reason !== 'unreadable')
      return { error, field, found: url, allowed: 'media that can be read', message }
    const allowed = formats[wants]
    return { field, found: url, allowed, message: `${message}; allowed: ${allowed}` }
  }),
})

/** Rule: the content of every medium is of the kind that its field takes; its declared type does not count. */
export const mediaIsOfItsKind = (place: string): Rule<WithMedia, never> => ({
  id: 'media-kind',
  says: 'Every medium is of the kind that its field is for, by its content and not by its label.',
  place,
  check: firstRefused(({ field, wants }, medium) => {
    if (medium?.state !== 'read' || medium.facts.kind === wants) return undefined
    const { kind, format } = medium.facts
    return expectedButFound(field, nouns[wants], `${nouns[kind]} (${format})`)
  }),
})

const nouns: Readonly<Record<MediaKind, string>> = { image: 'an image', video: 'a video', audio: 'audio' }

/** A rule on the facts of each medium of one kind; media that were not read pass it. */
export const ruleOnFacts = <F extends MediaFacts>(
  rule: StatedRule,
  kind: F['kind'],
  check: (facts: F, field: string) => RefusalDetails | undefined,
): Rule<WithMedia, never> => ({
  ...rule,
  check: firstRefused(({ field }, medium) =>
    medium?.state === 'read' && medium.facts.kind === kind ? check(medium.facts as F, field) : undefined,
  ),
})

/** How many media of a role a request may hold (§F media limits, gap B9): the bounds of the rule `role-counts`. */
export const roleCounts: Readonly<Record<Role, number>> = {
  first_frame: 1,
  last_frame: 1,
  reference_image: 9,
  reference_video: 3,
  reference_audio: 3,
}

interface WithRoles {
  readonly mediaRefs: readonly RequestMedium[]
  /** Items with a role that are no media (§F content). Default: none. */
  readonly textRoles?: readonly ItemWithRole[]
}

const noRoles: readonly ItemWithRole[] = []

/** Rules on media that may stand together (§C modes, §F roles, gap B9, C10, F13). */
export const modeRules = (place: string, counts = roleCounts): Rule<WithRoles, never>[] => {
  const rule = (id: string, says: string, check: Check): Rule<WithRoles, never> => ({
    id,
    says,
    place,
    check: ({ mediaRefs, textRoles = noRoles }, context) =>
      mediaRefs.length === 0 && textRoles.length === 0 ? undefined : check(mediaRefs, context, textRoles),
  })
  return [
    rule('role-fits-kind', 'The role of a medium is one for its kind.', roleFitsKind),
    rule('every-image-has-a-role', 'An image without a role is the only image.', everyImageHasARole),
    rule(
      'frames-or-references',
      'Frame roles and reference roles do not stand together.',
      framesOrReferences,
    ),
    rule('role-counts', roleCountsWords(counts), roleCountsWithin(counts)),
    rule('last-frame-needs-first', 'A last frame has a first frame beside it.', lastFrameNeedsFirst),
    rule('audio-is-not-alone', 'An audio reference has a visual reference beside it.', audioIsNotAlone),
  ]
}

type Check = (
  media: readonly RequestMedium[],
  context: DecisionContext,
  beside: readonly ItemWithRole[],
) => RefusalDetails | undefined

const roleFitsKind: Check = (media) => {
  const mismatch = media.find(({ role, wants }) => role !== undefined && kindOfRole[role] !== wants)
  if (mismatch === undefined) return undefined
  const { wants } = mismatch
  const fitting = Object.keys(kindOfRole).filter((role) => kindOfRole[role as Role] === wants)
  return mustBe(mismatch.roleField, `a role for ${wants} media (${fitting.join(' or ')})`, mismatch.role)
}

const everyImageHasARole: Check = (media) => {
  const without = media.find(({ role }) => role === undefined)
  return without && mustBe(without.roleField, 'named where there is more than one image', undefined)
}

const framesOrReferences: Check = (media, _, beside) => {
  const parts = [...media, ...beside]
  const frame = parts.find(({ role }) => role !== undefined && !isReference(role))
  const reference = parts.find(({ role }) => isReference(role))
  if (frame === undefined || reference === undefined) return undefined
  // An image without a role was not meant as a frame: the error asks for its role.
  if ('namedRole' in frame && frame.namedRole === undefined)
    return mustBe(frame.roleField, `named beside ${reference.item} (${reference.role})`, undefined)
  return mustBe(reference.roleField, `no reference role beside ${frame.item} (${frame.role})`, reference.role)
}

const roleCountsWords = (counts: Readonly<Record<Role, number>>): string => {
  const frames = `${counted(counts.first_frame, 'first frame')}, ${counted(counts.last_frame, 'last frame')}`
  const references = `${counted(counts.reference_image, 'image')}, ${counted(counts.reference_video, 'video')}`
  return `At most ${frames}, ${references} and ${counted(counts.reference_audio, 'audio')}.`
}

const roleCountsWithin =
  (counts: Readonly<Record<Role, number>>): Check =>
  (media) => {
    for (const [role, limit] of Object.entries(counts)) {
      const ofRole = media.filter((medium) => medium.role === role)
      const surplus = ofRole[limit]
      if (surplus === undefined) continue
      const allowed = `at most ${limit} of role ${role}`
      const found = ofRole.length
      const message = `${surplus.item} must be left out: ${allowed} ${limit === 1 ? 'is' : 'are'} allowed, found ${found}`
      return { field: surplus.item, found, allowed, message }
    }
    return undefined
  }

const lastFrameNeedsFirst: Check = (media) => {
  const last = media.find(({ role }) => role === 'last_frame')
  if (last === undefined || media.some(({ role }) => role === 'first_frame')) return undefined
  return expectedButFound(last.roleField, 'last_frame only beside a first_frame', 'last_frame alone')
}

// Refused unless the setting allowAudioOnly is on: the table of modes can be read either way (gap Z4).
const audioIsNotAlone: Check = (media, { settings }) => {
  const audio = media.find(({ role }) => role === 'reference_audio')
  const isAlone = audio !== undefined && media.every(({ role }) => role === 'reference_audio')
  if (!isAlone || settings.allowAudioOnly) return undefined
  return expectedButFound(audio.item, 'used beside a reference image or video', 'audio alone')
}
