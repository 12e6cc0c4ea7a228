import type { Kind } from './schema/values.js'

/** The version of what is written. A change that older versions cannot read raises it and adds a migration. */
export const STATE_VERSION = 1

/**
 * What a state is made of: of which kind, of which account (empty where it is the server's), under which id (empty where
 * there is one), and its value; null where it is gone. The last record of a kind, account and id holds; where the
 * account itself is gone, so is all that was written of it before.
 */
export type StateRecord = readonly [kind: Kind, account: string, id: string, value: unknown]
