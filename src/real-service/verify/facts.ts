import { existsSync } from 'node:fs'
import { checkWritable, counted, warn, writeReport } from '../../command/command.js'
import type { readFamilies } from '../../emulator/surface/profile.js'
import { isoOf } from '../../emulator/surface/records.js'
import type { Registry } from '../../emulator/surface/registry.js'
import {
  answerName,
  mergedFacts,
  NO_VERIFIED_FILE,
  profileHash,
  readVerified,
  type VerifiedFact,
  verifiedText,
} from '../../emulator/surface/verified.js'
import { hostHash } from './ledger.js'
import type { Outcome } from './session.js'
import type { ShadowAnswer } from './shadow.js'

/** Where facts were seen: hash of the host of the service, and that of the profile with which the emulator was compared. */
type SeenAt = Pick<VerifiedFact, 'host' | 'profile'>

/**
 * Verified facts of a run: each answer of the emulator that was compared, and whether the service has given the same one. Of the
 * calls they have the words of this program, and nothing that the service or its user has said.
 */
const factsOf = (outcomes: readonly Outcome[], registry: Registry, at: SeenAt): VerifiedFact[] =>
  outcomes.flatMap((outcome) => (outcome.verdict === 'not-looked-at' ? [] : factOf(outcome, registry, at)))

const factOf = (
  { verdict, compared: { exchange, ours } }: Exclude<Outcome, { readonly verdict: 'not-looked-at' }>,
  registry: Registry,
  at: SeenAt,
): VerifiedFact[] => {
  const { operation, status, state } = ours
  // A status alone is too little to say that an answer is the same.
  if (operation === undefined || exchange.statusOnly === true) return []
  const [refusal] = status < 400 ? [] : ours.refusedBy
  return [
    {
      answer: answerName(operation, { error: refusal?.error, state }),
      ...(refusal === undefined ? {} : { rule: refusal.rule }),
      // What stands behind the colon is a word of the service.
      asked: exchange.says.replace(/: .*$/s, ''),
      gaps: [...gapsOf(ours, registry)],
      verdict,
      at: isoOf(exchange.at),
      ...at,
    },
  ]
}

/** Ids of the gaps on which an answer of the emulator relies. */
export const gapsOf = (
  { operation = '', status, refusedBy }: ShadowAnswer,
  registry: Registry,
): readonly string[] => registry.gapsBehind(operation, status, refusedBy[0]?.place)

/** What a run is to note, and where. */
interface VerifiedRun {
  readonly verifiedFile: string
  readonly target: string
}

/** File in which a run notes what it has seen, beside what earlier runs have. */
export class FactsFile {
  readonly #file: string
  readonly #before: readonly VerifiedFact[]
  readonly #seenAt: SeenAt

  private constructor(file: string, before: readonly VerifiedFact[], seenAt: SeenAt) {
    this.#file = file
    this.#before = before
    this.#seenAt = seenAt
  }

  /**
   * Reads a file before a run, or begins one. Undefined where none is to be written.
   * @param throughProfile reads the profile with which the emulator is compared
   * @throws EmulatorError `bad-verified`, or `wrong-usage` where it cannot be written
   */
  static async open(
    { verifiedFile, target }: VerifiedRun,
    throughProfile: Awaited<ReturnType<typeof readFamilies>>['throughProfile'],
  ): Promise<FactsFile | undefined> {
    if (verifiedFile === NO_VERIFIED_FILE) return undefined
    await checkWritable(verifiedFile)
    const before = existsSync(verifiedFile) ? await readVerified(verifiedFile) : undefined
    const { profile } = await throughProfile()
    const seenAt = { host: hostHash(target), profile: profileHash(profile?.merged.profile) }
    return new FactsFile(verifiedFile, before ?? [], seenAt)
  }

  /** Writes what a run has seen, and says so. What was asked before of the same host is replaced. */
  async write(outcomes: readonly Outcome[], registry: Registry): Promise<void> {
    const now = factsOf(outcomes, registry, this.#seenAt)
    if (now.length === 0) return
    const all = mergedFacts(this.#before, now)
    await writeReport(this.#file, verifiedText(all))
    const same = now.filter(({ verdict }) => verdict === 'same').length
    const differing = now.length - same
    warn(
      `${counted(now.length, 'answer')} noted in ${this.#file}: ${same} the same, ${differing} ${differing === 1 ? 'differs' : 'differ'}. Emulators that are started there say so.`,
    )
    if (all.some(({ host }) => host !== this.#seenAt.host))
      warn(
        `${this.#file} has answers of another host too. Of one that both were asked for, the newer one counts.`,
      )
  }
}
