import { EmulatorError } from '../core/emulator-error.js'
import { createEmulatorHandles, type EmulatorHandles } from './emulator-handles.js'
import { remoteTransport } from './remote.js'

/** Whose handles they are, and how they are let in. */
export interface ConnectOptions {
  /** The account of the emulator's own handles; `default` when left out. */
  readonly key?: string | undefined
  /** What the emulator was started with as `--control-token`; left out, `BACKLOT_CONTROL_TOKEN`. */
  readonly token?: string | undefined
}

/**
 * The handles of an emulator that runs elsewhere: in another process, a container, on another machine. Nothing is sent
 * before a handle is used.
 * @throws EmulatorError `bad-url`; each handle `unreachable` where no emulator answers
 */
export const connectEmulator = (url: string, options: ConnectOptions = {}): EmulatorHandles => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new EmulatorError(`Expected the URL of an emulator, found ${JSON.stringify(url)}.`, {
      code: 'bad-url',
      hint: 'Write it as the emulator printed it, such as http://127.0.0.1:4010.',
    })
  const base = url.replace(/\/+$/, '')
  const token = options.token ?? process.env.BACKLOT_CONTROL_TOKEN
  return createEmulatorHandles(base, (key) => remoteTransport({ url: base, token }, key), options.key)
}
