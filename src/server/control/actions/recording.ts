import { z } from 'zod'
import { action } from '../action.js'

/** The journal of this account as a recording, which `backlot replay` runs again. With `all`, of every account. */
export const readRecording = action({
  route: { method: 'GET', path: '/requests' },
  claims: ({ format }) => format !== undefined,
  input: z.strictObject({ format: z.literal('replay'), all: z.string().optional() }),
  run: async (emulator, key, { all }) => {
    // Few emulators are asked for one, and every start would pay for it.
    const { savedRecording } = await import('../../recording/saved.js')
    return savedRecording(emulator, all === undefined ? [key] : await emulator.store.keys())
  },
})
