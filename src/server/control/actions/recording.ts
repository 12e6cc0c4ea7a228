import { z } from 'zod'
import { savedRecording } from '../../recording/saved.js'
import { action } from '../action.js'

/** The journal of this account as a recording, which `backlot replay` runs again. With `all`, of every account. */
export const readRecording = action({
  route: { method: 'GET', path: '/requests' },
  claims: ({ format }) => format !== undefined,
  input: z.strictObject({ format: z.literal('replay'), all: z.string().optional() }),
  run: async (emulator, key, { all }) =>
    savedRecording(emulator, all === undefined ? [key] : await emulator.store.keys()),
})
