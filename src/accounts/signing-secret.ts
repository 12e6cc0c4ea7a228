import { randomBytes } from 'node:crypto'
import { seededRandom } from '../core/account/random.js'
import type { Settings } from '../core/settings.js'
import { isLoopbackHost } from '../net/loopback.js'

/**
 * What signs result URLs: the setting, else what an earlier process has kept, else on loopback what follows from the seed,
 * so that runs repeat to the byte, and beyond loopback a random one. Whoever knows it can make URLs.
 * @param kept by a state file, so that URLs given out before still work; left out where there is none
 */
export const signingSecretOf = (
  { signingSecret, host, seed }: Pick<Settings, 'signingSecret' | 'host' | 'seed'>,
  kept?: string,
): string => {
  if (signingSecret !== undefined) return signingSecret
  const ofSeed = seededRandom(seed, 'results', 0).hex('secret', 64)
  if (isLoopbackHost(host)) return kept ?? ofSeed
  // A file that was written on loopback may keep what anybody can work out.
  return kept === undefined || kept === ofSeed ? randomBytes(32).toString('hex') : kept
}
