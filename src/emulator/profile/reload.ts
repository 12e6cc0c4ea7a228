import type { EventEmitter } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { EmulatorError } from '../core/errors.js'
import type { Events } from '../core/events.js'
import type { Registry } from '../families/registry.js'
import type { ProfileInForce } from './in-force.js'
import { loadProfiles } from './load.js'

interface Reloaded {
  readonly profile: ProfileInForce | undefined
  readonly registry: Registry
  readonly events: EventEmitter<Events>
}

/** Reads the profile again, of which a file has changed. One that cannot be used changes nothing. The event `profile` reports both. */
export const reloadProfile = async ({ profile, registry, events }: Reloaded, file: string): Promise<void> => {
  if (profile === undefined) return
  const { given, base, merged } = profile.loaded
  try {
    const loaded = await loadProfiles(given, base)
    if (isDeepStrictEqual(loaded.merged.profile, merged.profile)) return
    profile.replace(loaded)
    registry.replace(loaded.families)
    const says = `${file} has changed: the profile is in force as it is now.`
    events.emit('profile', { file, isInForce: true, says })
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    const says = `${file} has changed, and the profile stays as it was. ${error.sentence}`
    events.emit('profile', { file, isInForce: false, says })
  }
}
