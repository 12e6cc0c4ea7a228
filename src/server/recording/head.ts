import { accountIdOf } from '../../core/account/tag.js'
import { type Head, RECORDING_VERSION } from '../../core/recording/recording.js'
import { withAccounts } from '../../core/recording/scenario-accounts.js'
import { recordedSettings } from '../../core/recording/settings.js'
import { documentOf } from '../../core/scenario/scenario.js'
import type { ControlContext } from '../control/action.js'
import { version } from '../version.js'

/** Where drawn bytes are the same. */
export const platform = `${process.platform}-${process.arch}`

/** The first line of a recording. Keys that a scenario names are named by their tags. */
export const headOf = ({
  settings,
  scenarios: { given },
}: Pick<ControlContext, 'settings' | 'scenarios'>): Head => ({
  kind: 'recording',
  version: RECORDING_VERSION,
  emulator: version,
  platform,
  seed: settings.seed,
  settings: recordedSettings(settings),
  ...(given.length === 0
    ? {}
    : { scenarios: given.map((one) => withAccounts(documentOf(one), accountIdOf)) }),
})
