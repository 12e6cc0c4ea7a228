import type { QuotaExceeded } from '../../core/bounds/bounds.js'

/** @param why a clause that says what there is already */
export const shortage = (
  bound: QuotaExceeded['bound'],
  setting: QuotaExceeded['setting'],
  most: number,
  found: number,
  why: string,
): QuotaExceeded => ({
  bound,
  setting,
  most,
  found,
  says: `The emulator has no more room: ${why}, and the setting ${setting} is ${most}`,
})
