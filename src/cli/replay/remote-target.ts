import { EmulatorError } from '../../core/emulator-error.js'
import { differences } from '../../core/recording/differences.js'
import { parseRecording } from '../../core/recording/parse.js'
import type { Head, Recording } from '../../core/recording/recording.js'
import { type RemoteEmulator, remoteTransport } from '../../handles/remote.js'
import { routes } from '../../handles/routes.js'
import { createFixtures } from '../../server/fixtures/fixtures.js'
import { createHttpClient } from '../../server/recording/caller.js'
import type { Do } from '../../server/recording/replay.js'
import { fixtureBytes } from './fixture-bytes.js'
import type { OpenTarget } from './replay.js'

/**
 * An emulator that runs elsewhere. The recording is played by accounts of its own there; their callbacks go where that
 * emulator sends callbacks.
 */
export const openRemoteTarget = async (
  recording: Recording,
  url: string,
  token = process.env.BACKLOT_CONTROL_TOKEN,
): Promise<OpenTarget> => {
  const emulator: RemoteEmulator = { url, token }
  const head = await headAt(emulator)
  const caller = createHttpClient({ url })
  return {
    target: {
      caller,
      origin: new URL(url).origin,
      as: (key) => knownAction(remoteTransport(emulator, key) as Do),
      isOwn: false,
      bytesOf: await fixtureBytes(recording, createFixtures()),
    },
    warnings: settingWarnings(recording.head, head, url),
    close: async () => caller.stop(),
  }
}

const knownAction =
  (act: Do): Do =>
  async (action, input) => {
    if (action in routes) return act(action, input)
    throw new EmulatorError(`This version cannot do ${action}.`, { code: 'unknown-action' })
  }

const headAt = async (emulator: RemoteEmulator): Promise<Head> => {
  const text = await remoteTransport(emulator, 'default')('recording.read', { format: 'replay' })
  return parseRecording(text.split('\n', 1)[0] ?? '', emulator.url).head
}

// Answers are compared all the same: a difference that a setting makes may be what somebody wants to see.
const settingWarnings = (recorded: Head, there: Head, url: string): string[] =>
  differences({ seed: recorded.seed, ...recorded.settings }, { seed: there.seed, ...there.settings }).map(
    ({ path, recorded, now }) =>
      `The setting ${path} is ${JSON.stringify(now)} at ${url} and was ${JSON.stringify(recorded)}: answers that depend on it differ.`,
  )
