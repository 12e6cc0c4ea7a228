import type { QuotaStatus } from '../../../../src/emulator/quotas.js'
import type { SettingsInput } from '../../../../src/emulator/settings.js'
import { startOnPort } from '../../../emulator.js'

/** An emulator on a port, with what its quotas report. */
export const startWithQuotas = async (settings: SettingsInput) => {
  const started = await startOnPort(settings)
  const hits: string[] = []
  started.emulator.events.on('quota', ({ name, hits: count }) => hits.push(`${name} ${count}`))
  /** A quota as `health` shows it. */
  const quota = async (name: string): Promise<QuotaStatus> => {
    const { body } = await started.get('/_backlot/health?full')
    return body.bounds.find((bound: QuotaStatus) => bound.name === name)
  }
  /** `hits`: the events so far, `tasks-per-account 1`. */
  return { ...started, hits, quota }
}
