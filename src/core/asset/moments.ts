import type { Account } from '../account/account.js'
import type { ScheduledEvent } from '../account/agenda.js'
import type { AccountEvent } from '../account/settle.js'
import type { Asset } from './asset.js'

/** Remembers a new asset, and that the end of its processing is to come. */
export const putAsset = (account: Account, asset: Asset): void => {
  account.assets.set(asset.id, asset)
  account.jobs.set(asset.jobId, asset.id)
  for (const [index, { at }] of asset.life.entries())
    if (index > 0) account.agenda.add({ at, kind: 'asset', id: asset.id, index })
}

/** What comes about with an entry of the agenda. */
export const takeAssetMoment = (account: Account, { at, id, index }: ScheduledEvent): AccountEvent[] => {
  const phase = account.assets.get(id)?.life[index]?.value
  return phase === undefined ? [] : [{ at, kind: 'asset', id, detail: phase.state }]
}

/** The asset that an upload's job stands for; undefined for jobs that are not this account's. */
export const assetOfJob = (account: Readonly<Account>, jobId: string): Asset | undefined =>
  account.assets.get(account.jobs.get(jobId) ?? '')
