import { EmulatorError } from '../../core/emulator-error.js'
import { readSettings } from '../../core/read-settings.js'
import { EMULATOR, EMULATOR_HOST } from '../../core/recording/emulator-origin.js'
import type { Recording } from '../../core/recording/recording.js'
import { withAccounts } from '../../core/recording/scenario-accounts.js'
import { replayKeys } from '../../core/recording/stand-in-keys.js'
import type { Scenario } from '../../core/scenario/scenario.js'
import type { Settings } from '../../core/settings.js'
import { createEmulator } from '../../emulator/index.js'
import { catalogue } from '../../families/catalogue.js'
import { localTransport } from '../../handles/local.js'
import { listen } from '../../server/listen.js'
import { createHttpClient } from '../../server/recording/caller.js'
import { createRecordedReceivers } from '../../server/recording/recorded-post.js'
import type { Do } from '../../server/recording/replay.js'
import { readScenarioDocument } from '../../server/scenario/read.js'
import { told } from '../failure.js'
import { fixtureBytes } from './fixture-bytes.js'
import type { OpenTarget } from './replay.js'

/** An emulator of the recording's own: as that one was set, its clocks moved by hand, its receivers as they were. */
export const openOwnTarget = async (recording: Recording): Promise<OpenTarget> => {
  const emulator = createEmulator(settingsOf(recording), {
    scenarios: scenariosOf(recording),
    post: createRecordedReceivers(recording.lines),
    // What a scenario delays is not what is compared.
    setTimer: (ring) => {
      const soon = setImmediate(ring)
      return () => clearImmediate(soon)
    },
    onInternalError: (error) => void process.stderr.write(`${told(error)}\n`),
  })
  const { url, close } = await listen(emulator)
  const caller = createHttpClient({ url, host: EMULATOR_HOST })
  return {
    target: {
      caller,
      origin: EMULATOR,
      as: (key) => localTransport(emulator, key) as Do,
      isOwn: true,
      bytesOf: await fixtureBytes(recording, emulator.fixtures),
    },
    warnings: [],
    close: async () => {
      caller.stop()
      await close()
    },
  }
}

// Nobody looks into its journal, and the callbacks are all compared.
const ofItsOwn = { port: 0, clock: 'paused', journalEntries: 1, callbackLogEntries: 1_000_000 } as const

const settingsOf = ({ head }: Recording): Settings => {
  try {
    return readSettings({ ...head.settings, ...ofItsOwn, seed: head.seed })
  } catch (error) {
    throw new EmulatorError(`Line 1, settings: ${(error as Error).message}`, {
      code: 'bad-recording',
      hint: `The recording was written by version ${head.emulator}.`,
      cause: error,
    })
  }
}

const scenariosOf = ({ head, lines }: Recording): Scenario[] => {
  const keys = replayKeys(lines, true)
  return (head.scenarios ?? []).map((document) =>
    readScenarioDocument(
      withAccounts(document, (tag) => keys.get(tag) ?? tag),
      catalogue,
    ),
  )
}
