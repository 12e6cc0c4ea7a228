import { randomBytes } from 'node:crypto'
import { accountIdOf } from '../core/account/account-id.js'
import { SeededRandom } from '../core/account/random.js'
import type { Settings } from '../core/settings.js'
import { isLoopbackHost } from '../net/host-check.js'

/** Signing secret that follows from a seed: anybody can work it out. Recordings are signed with it, so that replays are too. */
export const secretOfSeed = (seed: number): string =>
  new SeededRandom(seed, accountIdOf('results'), 0).hex('secret', 64)

/**
 * Signing secret of result URLs: the setting, else the one of an earlier process, else on loopback one that follows from
 * the seed (runs repeat to the byte) and beyond loopback a random one. It is enough to forge URLs.
 * @param kept the secret in the state file, with which earlier URLs still work, or undefined where there is no state file
 */
export const signingSecretOf = (
  { signingSecret, host, seed }: Pick<Settings, 'signingSecret' | 'host' | 'seed'>,
  kept?: string,
): string => {
  if (signingSecret !== undefined) return signingSecret
  const ofSeed = secretOfSeed(seed)
  if (isLoopbackHost(host)) return kept ?? ofSeed
  // A file that was written on loopback may keep what anybody can work out.
  return kept === undefined || kept === ofSeed ? randomBytes(32).toString('hex') : kept
}
