import { readFamilies } from '../../emulator/surface/profile.js'
import { EmulatorError } from '../../emulator/surface/records.js'
import type { Registry } from '../../emulator/surface/registry.js'
import { readSettings } from '../../emulator/surface/starting.js'
import { answerChanges, type MayKeep } from './answers.js'
import type { IsTaken } from './bounds.js'
import { type Change, changeText, type ProfileDocument, withChange } from './changes.js'
import { type Compared, deltasOf } from './compare.js'
import type { Exchange } from './exchange.js'
import { acceptanceChanges, grouped, refusalChanges } from './refusals.js'
import { Shadow, type ShadowAnswer, type ShadowSettings } from './shadow.js'
import { traitChanges } from './traits.js'

/** Two shadows that differ in what they draw, which are asked together. */
export class Pair {
  readonly #first: Shadow
  readonly #second: Shadow

  private constructor(first: Shadow, second: Shadow) {
    this.#first = first
    this.#second = second
  }

  static async open(settings: ShadowSettings): Promise<Pair> {
    const first = await Shadow.open(settings, 1)
    return new Pair(first, await Shadow.open(settings, 2))
  }

  get registry(): Registry {
    return this.#first.registry
  }

  /** What a create costs by the price list of the emulator. */
  priceOf(operation: string, body: unknown): Promise<number> {
    return this.#first.priceOf(operation, body)
  }

  /** The answer of the emulator to an exchange, and how that of the service differs. */
  async compare(exchange: Exchange): Promise<Compared> {
    const [ours, other] = await Promise.all([askedOf(this.#first, exchange), askedOf(this.#second, exchange)])
    if (ours === undefined || other === undefined)
      return { exchange, ours: noMessage(exchange), deltas: [{ kind: 'message', ours: false, theirs: true }] }
    return { exchange, ours, deltas: deltasOf(exchange, ours, other) }
  }

  /** Challenges that the emulator sends and the service does not, of the creates that name a receiver which got messages. */
  async missingChallenges(exchanges: readonly Exchange[]): Promise<Compared[]> {
    const messages = exchanges.flatMap((exchange) =>
      exchange.message === undefined ? [] : [{ exchange, ...exchange.message }],
    )
    const families = [...new Set(messages.map(({ family }) => family))]
    const found: Compared[] = []
    for (const family of families) {
      const own = messages.filter((one) => one.family === family)
      const [first] = own
      if (first === undefined || own.some(({ kind }) => kind === 'challenge')) continue
      if (await this.#first.hasChallenged(family))
        found.push({
          exchange: { ...first.exchange, says: `the challenge of ${family}` },
          ours: noMessage(first.exchange),
          deltas: [{ kind: 'message', ours: true, theirs: false }],
        })
    }
    return found
  }

  async stop(): Promise<void> {
    await Promise.all([this.#first.stop(), this.#second.stop()])
  }
}

const askedOf = (shadow: Shadow, exchange: Exchange): Promise<ShadowAnswer | undefined> =>
  exchange.message === undefined ? shadow.ask(exchange) : shadow.message(exchange)

const noMessage = ({ message }: Exchange): ShadowAnswer => ({
  status: 200,
  headers: {},
  operation: `${message?.family}.callback`,
  refusedBy: [],
  state: undefined,
})

/** All exchanges with the answers of an emulator that has a profile. */
export const compareAll = async (
  exchanges: readonly Exchange[],
  settings: ShadowSettings,
): Promise<{ readonly compared: readonly Compared[]; readonly registry: Registry }> => {
  const pair = await Pair.open(settings)
  try {
    const compared: Compared[] = []
    for (const exchange of exchanges) compared.push(await pair.compare(exchange))
    compared.push(...(await pair.missingChallenges(exchanges)))
    return { compared, registry: pair.registry }
  } finally {
    await pair.stop()
  }
}

/** What a profile can say of the differences, and what it cannot. */
interface Conclusion {
  readonly profile: ProfileDocument
  readonly changes: readonly Change[]
  /** The exchanges again, with an emulator that has the profile: what still differs, no key of a profile can say. */
  readonly left: readonly Compared[]
}

/** How often a profile is made better: rows of errors and facts first, then answers, whose fields follow from them. */
const ROUNDS = 10

/** Concludes from exchanges the profile with which an emulator would have answered as the service did. */
export const conclude = async (
  exchanges: readonly Exchange[],
  settings: ShadowSettings,
  mayKeep?: MayKeep,
): Promise<Conclusion> => {
  let profile: ProfileDocument = {}
  const changes: Change[] = []
  const tried = new Set<string>()
  for (let round = 0; ; round += 1) {
    const { compared, registry } = await compareAll(exchanges, withProfile(settings, profile))
    const isNew = (change: Change) => !tried.has(changeText(change))
    const isTaken = takenWith(settings, profile)
    const proposed = round >= ROUNDS ? [] : await proposalsOf(compared, registry, isNew, isTaken, mayKeep)
    if (proposed.length === 0) return { profile, changes, left: compared }
    for (const change of mergedProofs(proposed)) {
      tried.add(changeText(change))
      const next = withChange(profile, change)
      if (!(await isAccepted(settings, next))) continue
      profile = next
      changes.push(change)
    }
  }
}

/** Changes that say the same as one, with all that shows it. */
const mergedProofs = (changes: readonly Change[]): Change[] =>
  [...grouped(changes, changeText).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const seenIn = group.flatMap((one) => one.seenIn)
    return [{ ...first, seenIn, settles: group.flatMap((one) => one.settles) }]
  })

/** The changes of the first kind that has some: what follows from them needs none of its own. */
const proposalsOf = async (
  compared: readonly Compared[],
  registry: Registry,
  isNew: (change: Change) => boolean,
  isTaken: IsTaken,
  mayKeep?: MayKeep,
): Promise<Change[]> => {
  const kinds = [
    async () => [
      ...(await acceptanceChanges(compared, registry, isTaken)),
      ...traitChanges(compared, registry),
    ],
    () => refusalChanges(compared, registry),
    // Messages carry the answers of queries, with what is changed of those.
    () =>
      answerChanges(
        compared.filter(({ exchange }) => exchange.message === undefined),
        mayKeep,
      ),
    () => answerChanges(compared, mayKeep),
  ]
  for (const changesOfKind of kinds) {
    const changes = (await changesOfKind()).filter(isNew)
    if (changes.length > 0) return changes
  }
  return []
}

const withProfile = (settings: ShadowSettings, profile: ProfileDocument): ShadowSettings =>
  Object.keys(profile).length === 0 ? settings : { ...settings, profile: [...settings.profile, profile] }

/** Asks an emulator with one more change of a profile whether it still refuses a call by a rule. */
const takenWith =
  (settings: ShadowSettings, profile: ProfileDocument): IsTaken =>
  async ({ exchange }, rule, change) => {
    const next = withChange(profile, { ...change, seenIn: [], settles: [] })
    if (!(await isAccepted(settings, next))) return false
    const shadow = await Shadow.open(withProfile(settings, next))
    try {
      const { refusedBy } = await shadow.ask(exchange)
      return refusedBy.every((refusal) => refusal.rule !== rule)
    } finally {
      await shadow.stop()
    }
  }

const isAccepted = async (settings: ShadowSettings, profile: ProfileDocument): Promise<boolean> => {
  try {
    const changed = readSettings({ ...settings, profile: [...settings.profile, profile] })
    await (await readFamilies(changed)).throughProfile()
    return true
  } catch (error) {
    if (error instanceof EmulatorError) return false
    throw error
  }
}
