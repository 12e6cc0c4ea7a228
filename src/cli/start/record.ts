import type { Emulator } from '../../emulator/index.js'
import type { CliOption, Given } from '../command.js'

export const recordOption: CliOption = {
  flags: '--record <file>',
  says: 'write everything that happens into a file that `backlot replay` runs again',
}

/** Records where the options say so, and nothing otherwise; `end` writes what is left. */
export interface Recording {
  begin(emulator: Emulator): Promise<void>
  end(): void
}

export const recordingFor = ({ record }: Given['options']): Recording => {
  let end = () => {}
  return {
    begin: async (emulator) => {
      if (typeof record !== 'string') return
      const { recordTo } = await import('../../server/recording/record-to.js')
      end = recordTo(emulator, record)
    },
    end: () => end(),
  }
}
