import { readFamilies } from '../../emulator/surface/profile.js'
import type { Registry } from '../../emulator/surface/registry.js'
import type { Settings } from '../../emulator/surface/starting.js'
import { type CliOption, flagIn, type Options } from '../command.js'
import { readCommandSettings, serviceOptions } from './read.js'

/** Options of a command to which only the families from outside matter, of all that a service can be. */
export const familyOptions = (): CliOption[] =>
  serviceOptions().filter((option) => ['--families', '--config'].includes(flagIn(option)))

/** The service that a command reads files of: the built-in families with those from outside, as profiles change them. */
export interface ReadService {
  /** Settings of all sources. */
  readonly settings: Settings
  /** The families without a profile. */
  readonly families: Registry
  /**
   * The families as the profiles of the settings change them.
   * @throws EmulatorError `no-such-file` or `bad-profile`
   */
  readonly throughProfile: () => Promise<Registry>
}

/**
 * Reads the service that options, environment and configuration file name.
 * @throws EmulatorError `bad-setting`, `wrong-usage` or `bad-family`
 */
export const readService = async (options: Options): Promise<ReadService> => {
  const { settings } = await readCommandSettings({ options })
  const { registry: families, throughProfile } = await readFamilies(settings)
  return { settings, families, throughProfile: async () => (await throughProfile()).registry }
}
