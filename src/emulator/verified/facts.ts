import { isDeepStrictEqual } from 'node:util'
import type { Gap } from '../core/contract.js'
import { hash } from '../core/hash.js'
import { isRecord } from '../core/request.js'
import type { Settings } from '../core/settings.js'
import type { Profile } from '../profile/schema.js'
import { readSettings } from '../settings.js'
import type { VerifiedFact } from './file.js'

/** What the real service was seen to answer. */
export interface Seen {
  /** `same`: as the emulator does. `differs`: otherwise, in at least one of the calls. */
  readonly verdict: VerifiedFact['verdict']
  /** The day on which it was asked last: `2026-11-28`. */
  readonly on: string
  /** The calls, in words. */
  readonly asked: readonly string[]
}

/** Answer as facts name it: the operation, and behind an @ the error, or the state of what was queried. */
export const answerName = (
  operation: string,
  { error, state }: { readonly error?: string | undefined; readonly state?: string | undefined },
): string => {
  const isAboutState = /\.(read|resolve|callback)$/.test(operation)
  const condition = error ?? (isAboutState ? state : undefined)
  return condition === undefined ? operation : `${operation}@${condition}`
}

/** Facts of an earlier run and of a new one: what was asked again is replaced, for the same host alone. */
export const mergedFacts = (
  before: readonly VerifiedFact[],
  now: readonly VerifiedFact[],
): VerifiedFact[] => {
  const isReplaced = (old: VerifiedFact) =>
    now.some((fact) => fact.host === old.host && isSameAnswer(fact, old))
  return [...before.filter((old) => !isReplaced(old)), ...now].sort(
    (a, b) => compare(a.answer, b.answer) || compare(a.rule ?? '', b.rule ?? '') || compare(a.asked, b.asked),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const isSameAnswer = (a: VerifiedFact, b: VerifiedFact): boolean => a.answer === b.answer && a.rule === b.rule

/** Verified facts as an emulator uses them: those that were compared with the profile that it has. */
export class VerifiedFacts {
  readonly #facts: readonly VerifiedFact[]
  readonly #settings: Settings
  readonly #usual = readSettings({})
  readonly #profile: () => Profile | undefined

  /** @param profile the profile in force, or undefined where there is none */
  constructor(facts: readonly VerifiedFact[], settings: Settings, profile: () => Profile | undefined) {
    this.#facts = ofNewestHost(facts)
    this.#settings = settings
    this.#profile = profile
  }

  /** What is known of an answer, by its name and the rule that refused. Undefined where the service was not asked. */
  ofAnswer(answer: string, rule: string | undefined): Seen | undefined {
    return this.#seen((fact) => fact.answer === answer && fact.rule === rule)
  }

  /**
   * What is known of the answers that rely on a gap. Undefined where the service was not asked, and where a setting gives the gap
   * another answer than the one that was compared.
   */
  ofGap({ id, settings: names = [] }: Pick<Gap, 'id' | 'settings'>): Seen | undefined {
    const isUsual = (name: string) =>
      isDeepStrictEqual(Reflect.get(this.#settings, name), Reflect.get(this.#usual, name))
    if (!names.every(isUsual)) return undefined
    return this.#seen(({ gaps }) => gaps.includes(id))
  }

  #seen(isAbout: (fact: VerifiedFact) => boolean): Seen | undefined {
    const profile = profileHash(this.#profile())
    const facts = this.#facts.filter((fact) => fact.profile === profile && isAbout(fact))
    const differing = facts.filter(({ verdict }) => verdict === 'differs')
    const telling = differing.length > 0 ? differing : facts
    const last = telling
      .map(({ at }) => at)
      .sort()
      .at(-1)
    if (last === undefined) return undefined
    return {
      verdict: differing.length > 0 ? 'differs' : 'same',
      on: last.slice(0, 10),
      asked: telling.map(({ asked }) => asked),
    }
  }
}

/** Of facts about one answer at several hosts, those of the host that was asked last. */
const ofNewestHost = (facts: readonly VerifiedFact[]): readonly VerifiedFact[] =>
  facts.filter((fact) => {
    const newest = facts.filter((other) => isSameAnswer(fact, other)).sort((a, b) => compare(b.at, a.at))[0]
    return newest?.host === fact.host
  })

/** Hash of what of a profile answers depend on, or null where there is no profile. */
export const profileHash = (profile: Profile | undefined): string | null => {
  if (profile === undefined) return null
  // Neither the times of tasks nor endpoints beside the families are compared, and a secret is filled in by hand.
  const { $schema: _, description: __, writtenBy: ___, timing: ____, routes: _____, ...compared } = profile
  return hash('sha256', JSON.stringify(sorted(compared)), 'hex').slice(0, 12)
}

/** A value whose keys are in order, without secrets. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== 'secret' && inner !== undefined)
      .sort(([a], [b]) => compare(a, b))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
