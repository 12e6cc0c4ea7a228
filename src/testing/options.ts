import {
  apiKey,
  list,
  object,
  optional,
  text,
  validateArguments,
  validateNamed,
} from '../emulator/surface/client.js'
import { isRecord, shown } from '../emulator/surface/journal.js'
import { EmulatorError, nearest, suggestion, unknownPlaceholder } from '../emulator/surface/records.js'
import type { FindingKind } from '../emulator/surface/verdict.js'
import type { EmulatorSettings } from '../generated/emulator-settings.js'
import { settingNames } from '../generated/names.js'

/**
 * Loose end that fails a test: calls that no operation has a route for, callbacks that the receiver has not accepted,
 * and required steps of a scenario that have not acted. Tasks that have not ended do where the option `forbid` says so.
 */
export type LooseEnd = 'unexpected-calls' | 'undelivered-callbacks' | 'unused-steps' | 'abandoned-tasks'

/**
 * What does not fail a test: a kind of loose end, a finding of the verdict, or the calls of paths that the service does not have, each
 * with its method or without: `{ unexpectedCalls: ['POST /v1/chat/completions', '/v1/files/{id}'] }`.
 */
export type Allowed = LooseEnd | FindingKind | { readonly unexpectedCalls: readonly string[] }

/** Loose ends that fail a test only where the option `forbid` names them. */
export const OFF_BY_DEFAULT = ['abandoned-tasks'] as const satisfies readonly LooseEnd[]

/** Options of the helper; every other one is a setting of the emulator. */
export interface HelperOptions {
  /**
   * Environment variables, set before the tests and put back after them. `{url}`, `{port}` and `{key}` are filled in:
   * `{ VIDEO_API_BASE: '{url}/provB/api/v3', VIDEO_API_KEY: '{key}' }`.
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The one key that the code under test has. With it, `isolation` is `reset`. */
  readonly key?: string | undefined
  /**
   * `fresh`, the default: each test has an account of its own, with its own key. `reset`: all tests of the file have the
   * same one, which begins anew after each of them.
   */
  readonly isolation?: 'fresh' | 'reset' | undefined
  /** Loose ends, findings of the verdict, and paths whose calls do not fail a test; default: none. */
  readonly allow?: readonly Allowed[] | undefined
  /** True: a test fails too where its client did what a robust client does not do (docs/verdict.md); default: false. */
  readonly verdict?: boolean | undefined
  /** Loose ends that fail a test besides those that always do; default: none. */
  readonly forbid?: readonly (typeof OFF_BY_DEFAULT)[number][] | undefined
  /** The emulator to use; default: that of the global setup or `BACKLOT_URL`, else a new one for this file. */
  readonly url?: string | undefined
  /** Its control token; default: `BACKLOT_CONTROL_TOKEN`. */
  readonly token?: string | undefined
  /**
   * Counts what the tests cover and writes that into a folder for `backlot coverage --merge`; true: into
   * `backlot-coverage`. The folder that `BACKLOT_COVERAGE` names, if any, takes its place.
   */
  readonly coverage?: boolean | string | undefined
  /** False: a new emulator for this file, even if the others share one. */
  readonly shared?: boolean | undefined
}

/** Options of `useEmulator`: those of the helper, and settings of an emulator of its own. */
export type UseEmulatorOptions = HelperOptions & EmulatorSettings

const isFlag = (value: unknown): boolean => typeof value === 'boolean'

const environment = optional({
  allowed: 'an object whose values are strings',
  fits: (value) => isRecord(value) && Object.values(value).every((one) => typeof one === 'string'),
})

/**
 * Validates the option `env`: a misspelt placeholder would stay in the variable.
 * @throws EmulatorError `bad-option`, or `bad-argument` where it is no object of strings
 */
export const validateEnvironment = (
  callee: string,
  options: Pick<HelperOptions, 'env'>,
  placeholders: readonly string[],
): void => {
  validateArguments(callee, [options], { options: object })
  validateNamed(callee, options, { env: environment })
  for (const [name, template] of Object.entries(options.env ?? {})) {
    const unknown = unknownPlaceholder(template, placeholders)
    if (unknown !== undefined)
      throw badOption(`env: ${name} has {${unknown}}, and there is no placeholder`, unknown, placeholders)
  }
}

const helperKinds = {
  coverage: optional({
    allowed: `true or false, or ${text.allowed}`,
    fits: (value) => isFlag(value) || text.fits(value),
  }),
  shared: optional({ allowed: 'true or false', fits: isFlag }),
  verdict: optional({ allowed: 'true or false', fits: isFlag }),
  allow: optional(list),
  forbid: optional(list),
  key: optional(apiKey),
  isolation: optional(text),
  url: optional(text),
  token: optional(text),
}

/** Validates options, and returns the emulator settings among them. @throws EmulatorError `bad-option` or `bad-argument` */
export const settingsIn = (options: UseEmulatorOptions): EmulatorSettings => {
  validateEnvironment('useEmulator', options, ['url', 'port', 'key'])
  const { env, key, isolation, allow, forbid, verdict, coverage, url, token, shared, ...settings } = options
  validateNamed('useEmulator', options, helperKinds)
  validateSettingNames('useEmulator', settings, ['env', ...Object.keys(helperKinds)])
  return settings
}

/**
 * Validates the names of the options that are to be settings.
 * @param others names of the other options, one of which may have been meant
 * @throws EmulatorError `bad-option`
 */
export const validateSettingNames = (callee: string, settings: object, others: readonly string[]): void => {
  for (const [name, value] of Object.entries(settings)) {
    if (value === undefined || settingNames.includes(name)) continue
    // There are dozens of settings, so that only the nearest name is shown.
    const meant = nearest(name, [...others, ...settingNames])
    const sentence = `${callee}: ${name} is no option and no setting`
    throw new EmulatorError(meant === undefined ? `${sentence}.` : `${sentence}, did you mean ${meant}?`, {
      code: 'bad-option',
      hint: 'docs/testing.md lists the options, docs/settings.md every setting with its default.',
    })
  }
}

/**
 * Validates the options of a helper: a misspelt one would be ignored, so that the test could not fail because of it.
 * @throws EmulatorError `bad-option`, or `bad-argument` where they are no object
 */
export const validateOptions = (callee: string, options: object, known: readonly string[]): void => {
  validateArguments(callee, [options], { options: object })
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw badOption(`${callee} has no option`, name, known)
}

/** @throws EmulatorError `bad-option` */
export const validateWords = (kind: string, words: readonly string[], known: readonly string[]): void => {
  for (const word of words) {
    if (typeof word !== 'string')
      throw new EmulatorError(`Each ${kind} must be a string, found ${shown(word)}.`, { code: 'bad-option' })
    if (!known.includes(word)) throw badOption(`There is no ${kind}`, word, known)
  }
}

/** @throws EmulatorError `bad-option` */
export const validateTimes = (value: unknown): void => {
  if (value === undefined || (Number.isInteger(value) && Number(value) >= 0)) return
  throw new EmulatorError(`times must be a whole number, 0 or more, found ${shown(value)}.`, {
    code: 'bad-option',
  })
}

const badOption = (sentence: string, word: string, known: readonly string[]): EmulatorError => {
  const text = `${sentence} ${JSON.stringify(word)}${suggestion(word, known)}`
  return new EmulatorError(text.endsWith('?') ? text : `${text}.`, { code: 'bad-option' })
}
