import type { SharedServer } from './framework.js'

/** The emulator that `backlot exec` or a global setup has named in the environment; undefined where none has. */
export const sharedByEnvironment = (): SharedServer | undefined => {
  const { BACKLOT_URL: url, BACKLOT_CONTROL_TOKEN: token } = process.env
  return url === undefined || url === '' ? undefined : { url, token }
}
