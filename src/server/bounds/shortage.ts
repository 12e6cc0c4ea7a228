import type { Shortage } from '../../core/bounds/bounds.js'

/** @param why a clause that says what there is already */
export const shortage = (
  bound: Shortage['bound'],
  setting: Shortage['setting'],
  most: number,
  found: number,
  why: string,
): Shortage => ({
  bound,
  setting,
  most,
  found,
  says: `The emulator has no more room: ${why}, and the setting ${setting} is ${most}`,
})
