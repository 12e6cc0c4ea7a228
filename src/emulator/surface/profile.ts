/** Profiles: what is different in a service. All that reads them is loaded when it is first called. */
import type { readFamilies as read } from '../open-emulator.js'
import type { checkProfileFile as check, isProfile as isOne } from '../profile/load.js'
import type { reloadProfile as reload } from '../profile/reload.js'

export const checkProfileFile: typeof check = async (...args) =>
  (await import('../profile/load.js')).checkProfileFile(...args)

export const isProfile: typeof isOne = async (...args) =>
  (await import('../profile/load.js')).isProfile(...args)

export const readFamilies: typeof read = async (...args) =>
  (await import('../open-emulator.js')).readFamilies(...args)

export const reloadProfile: typeof reload = async (...args) =>
  (await import('../profile/reload.js')).reloadProfile(...args)
