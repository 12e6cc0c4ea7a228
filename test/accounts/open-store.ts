import { createAccountQuotas } from '../../src/accounts/account-quotas.js'
import { createStore, type StoreParts } from '../../src/accounts/store.js'
import { FOR_EVER } from '../../src/core/model/task.js'
import { noQuotaReporter } from '../../src/core/quotas.js'
import { settingsSchema } from '../../src/core/settings.js'

/** A store on its own: with the quotas of the default settings, a clock at 0, and nothing that outlives the process. */
export const openStore = (parts: Pick<StoreParts, 'open'> & Partial<StoreParts>) =>
  createStore({
    systemNow: () => 0,
    accountQuotas: createAccountQuotas(settingsSchema.parse({}), noQuotaReporter, () => 0),
    exposureOf: () => FOR_EVER,
    onEffects: () => {},
    onEvicted: () => {},
    onInternalError: () => {},
    ...parts,
  })
