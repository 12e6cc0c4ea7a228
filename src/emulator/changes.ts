import { nextDue } from '../core/account/settle.js'
import type { Asset } from '../core/asset/asset.js'
import { initialStateOf } from '../core/journal/control.js'
import type { Accounts } from './accounts.js'
import type { Answering } from './answering.js'
import type { Emulator } from './emulator.js'
import type { Ground } from './ground.js'
import type { Media } from './media.js'
import { type EmulatorDependencies, writeWarning } from './outside.js'

/** What happens to whole accounts. Their files are held and let go with them. */
export const createChanges = (
  { persistence }: Ground,
  { onWarning = writeWarning }: EmulatorDependencies,
  { store, clock, journals, forgetBesides }: Accounts,
  { uploads }: Media,
): Pick<Emulator, 'replace' | 'forget' | 'resume'> => ({
  replace: async (account) => {
    await uploads.hold(account.assets.values())
    forgetBesides(account.key)
    const before = await store.put(account)
    journals.opened(account.key, initialStateOf(account))
    if (before !== undefined) await uploads.letGo(before.assets.values())
    clock.noticed(account.key, [], nextDue(account), account.clock)
  },
  forget: async (key) => {
    forgetBesides(key)
    const assets = await store.run(key, (account) => [...account.assets.values()])
    await store.forget(key)
    await uploads.letGo(assets)
  },
  resume: async (url) => {
    await persistence.listening(url)
    const missing = await uploads.hold(persistence.accounts.flatMap(({ assets }) => [...assets.values()]))
    if (missing.length > 0) onWarning(filesAreMissing(missing, persistence.mediaFolder))
    for (const { key } of persistence.accounts)
      await store.run(key, (account) => clock.noticed(key, [], nextDue(account), account.clock))
  },
})

/** Ends what is under way: first what would begin something new, then what has to be waited for. */
export const createStop =
  (
    { persistence }: Ground,
    { clock, callbacks }: Accounts,
    { uploads, renderer, blobs }: Media,
    { metrics, delays, largeBodies }: Answering,
  ): Emulator['stop'] =>
  async () => {
    metrics.stop()
    clock.stop()
    callbacks.stop()
    delays.stop()
    await uploads.stop()
    await Promise.all([renderer.stop(), blobs.stop(), largeBodies.stop(), persistence.stop()])
  }

const filesAreMissing = (assets: readonly Asset[], folder: string | undefined): string =>
  `The folder ${folder} lacks the files of ${assets.length === 1 ? 'an asset' : `${assets.length} assets`}: ${assets.map(({ id }) => id).join(', ')}. Results cannot show them.`
