import { EmulatorError } from '../../core/emulator-error.js'
import type { Settings } from '../../core/settings.js'
import { type Emulator, openEmulator } from '../../emulator/index.js'
import { type Listening, listen } from '../../server/listen.js'
import { lines, told } from '../failure.js'
import { follow, type Reporter, type Started } from '../output/reporter.js'

export type Launched = Started & Pick<Listening, 'close'>

/**
 * Starts an emulator in this process and lets a reporter tell of it. `prepare` has it before it listens.
 * @throws EmulatorError when the port is taken or cannot be had
 */
export const launch = async (
  settings: Settings,
  reporter: Reporter,
  prepare: (emulator: Emulator) => Promise<void> = async () => {},
): Promise<Launched> => {
  const emulator = await openEmulator(settings, {
    onInternalError: (error) => void process.stderr.write(`${told(error)}\n`),
  })
  // In every mode, since whoever reads standard output may be a program that looks for something else.
  emulator.events.on('trouble', ({ says, hint }) =>
    process.stderr.write(`${lines(`backlot: ${says}`, hint)}\n`),
  )
  await prepare(emulator)
  const { url, port, close } = await listen(emulator).catch((error) => blamed(error, settings))
  const started = { emulator, url, port }
  reporter.started(started)
  follow(emulator.events, reporter)
  // While nobody asks yet, so that the first who does need not wait for it.
  setImmediate(() => void emulator.app.load())
  return { ...started, close }
}

const blamed = async (error: unknown, { host, port }: Settings): Promise<never> => {
  if (!(error instanceof EmulatorError) || error.code !== 'port-taken') throw error
  const { portOwner } = await import('./port-owner.js')
  const owner = await portOwner(host, port)
  if (owner === undefined) throw error
  throw new EmulatorError(`Port ${port} on ${host} is taken by ${owner}.`, {
    code: error.code,
    hint: 'Stop it, choose another port with --port, or let --port 0 pick a free one.',
    cause: error,
  })
}
