import { AccountStore, type Store, type StoreParts } from '../../../src/emulator/accounts/store.js'
import { FOR_EVER } from '../../../src/emulator/core/model/task.js'
import { AccountQuotas, noQuotaReporter } from '../../../src/emulator/core/quotas.js'
import { settingsSchema } from '../../../src/emulator/settings.js'

/** A store on its own: with the quotas of the default settings, a clock at 0, and nothing that outlives the process. */
export const openStore = (parts: Pick<StoreParts, 'open'> & Partial<StoreParts>): Store =>
  new AccountStore({
    systemNow: () => 0,
    accountQuotas: new AccountQuotas(settingsSchema.parse({}), noQuotaReporter),
    exposureOf: () => FOR_EVER,
    onEffects: () => {},
    onEvicted: () => {},
    onInternalError: () => {},
    ...parts,
  })
