import type { EmulatorSettings } from '../../generated/emulator-settings.js'
import { EmulatorError } from '../core/errors.js'
import { isRecord, shown } from '../core/request.js'
import { listen } from '../listen.js'
import { openEmulator } from '../open-emulator.js'
import { readSettings } from '../settings.js'
import { createEmulatorHandles, type EmulatorHandles } from './handles.js'
import { localTransport } from './local-transport.js'

/** A running emulator. Its own handles are those of the account `default`, the one of calls without a key. */
export interface RunningEmulator extends EmulatorHandles {
  /** The port on which it listens. */
  readonly port: number
  /** What everything drawn depends on, together with the account and the order of calls. */
  readonly seed: number
  /** What others have to send to its control API as `X-Backlot-Token`; undefined where it asks for nothing. */
  readonly controlToken: string | undefined
  /** Ends what is under way and frees the port; a state file is written to its end before. Waits reject with `stopped`. */
  stop(): Promise<void>
  /** As `stop`: for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

// A vm context of Node 20, as some pools of vitest have, lacks the symbol, and compiled `await using` looks for this one then.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for('Symbol.asyncDispose') as typeof Symbol.asyncDispose)

/**
 * Starts an emulator in this process: on a free port of the loopback interface, silent, with an on-poll clock and plain media,
 * unless the settings say otherwise.
 * @param open opens the emulator; default: without what stands beside it
 * @throws EmulatorError `bad-setting`, `port-taken`, `cannot-listen` or `bad-certificate`; of a scenario `unknown-scenario`,
 * `no-such-file` or `bad-scenario`; of a profile `no-such-file` or `bad-profile`; of a log `cannot-log`; of a state file `state-held`, `bad-state`, `other-seed` or `state-unusable`
 */
export const startEmulator = async (
  settings: EmulatorSettings = {},
  open: typeof openEmulator = openEmulator,
): Promise<RunningEmulator> => {
  if (!isRecord(settings))
    throw new EmulatorError(`The settings must be an object, found ${shown(settings)}.`, {
      code: 'bad-setting',
      hint: 'docs/settings.md lists every setting with its default.',
    })
  const { port: wanted = 0, clock = 'on-poll', media = 'plain', ...others } = settings
  const lists = { scenario: [settings.scenario ?? []].flat(), profile: [settings.profile ?? []].flat() }
  const complete = { ...others, port: wanted, clock, media, ...lists }
  const emulator = await open(readSettings(complete))
  const { url, port, close } = await listen(emulator)
  return {
    ...createEmulatorHandles(url, (key) => localTransport(emulator, key)),
    port,
    seed: emulator.settings.seed,
    controlToken: emulator.settings.controlToken,
    stop: close,
    [asyncDispose]: close,
  }
}
