import type { Emulator } from '../../emulator/index.js'
import { version } from '../version.js'
import { openDestination } from './destination.js'
import { callbackLine, callLine, changeLine, errorLine } from './lines.js'

/**
 * An emulator that writes a log: one line of JSON for each call, callback, bound that was met and error.
 * @throws EmulatorError `cannot-log`
 */
export const logged = async (emulator: Emulator, file: string): Promise<Emulator> => {
  const { pino, stdTimeFunctions } = await import('pino')
  const destination = await openDestination(file)
  const { events, troubles, settings } = emulator
  const log = pino(
    {
      level: settings.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  )
  destination.onFailure(
    (error) => troubles.had('log', error),
    () => troubles.over('log'),
  )

  log.info({ version, process: process.pid }, 'started')
  events.on('served', (call) => log[call.status >= 500 ? 'warn' : 'info'](callLine(call), 'call'))
  events.on('happening', (happening) => {
    const { kind, detail, account, callback } = happening
    if (callback === undefined) log.debug(changeLine(happening, account), kind)
    else log[detail === 'failed' ? 'warn' : 'info'](callbackLine(callback, detail, account), 'callback')
  })
  events.on('bound', ({ name, setting, most, hits, says }) =>
    log.warn({ bound: name, setting, most, hits, says }, 'bound'),
  )
  events.on('trouble', (trouble) => {
    // The log cannot say that it cannot be written.
    if (trouble.need !== 'log') log[trouble.state === 'begun' ? 'error' : 'info'](trouble, 'trouble')
  })
  events.on('bug', (error) => log.error(errorLine(error), 'error'))

  return {
    ...emulator,
    stop: async () => {
      await emulator.stop()
      log.info('stopped')
      await destination.close()
    },
  }
}
