/** Starting: settings, and an emulator that has them. What is heavy is loaded when it is first called. */
import type { ActionName } from '../control/actions/index.js'
import type { invokeAction as invoke } from '../control/invoke.js'
import type { JsonSchema } from '../core/json-schema.js'
import type { createEmulator as create, Emulator } from '../emulator.js'
import type { listen as listenWith } from '../listen.js'
import type { diagnose as diagnoseWith } from '../observability/diagnostics.js'
import type { openEmulator as open } from '../open-emulator.js'
import type { openApiDocument as documentOf } from '../openapi/document.js'

export { type CallbackHttpClient, type CallResult, DELIVERY_ID_HEADER } from '../callbacks/http-client.js'
export { lateImport } from '../concurrency.js'
export type { JsonSchema } from '../core/json-schema.js'
export { type AccountSettings, limitsSchema, type Settings } from '../core/settings.js'
export type { Emulator } from '../emulator.js'
export type { Extension, RunningExtension } from '../extension.js'
export type { Listening } from '../listen.js'
export { makeFolder, temporaryName } from '../media/files/temporary-folders.js'
export { createFixtures, samplesOf } from '../media/fixtures.js'
export type { ResolveMedia } from '../media/resolve/resolve-media.js'
export { FORM_BYTES } from '../media/uploads/uploads.js'
export { importModuleFile, isModuleFile } from '../module-file.js'
export type { DiagnosticItem } from '../observability/diagnostics.js'
export { unblockTerminal } from '../observability/terminal.js'
export type { OpenOptions } from '../open-emulator.js'
export {
  formerFirst,
  isRecorded,
  logLevels,
  readSettings,
  secretSettings,
  settingAliases,
  settingsSchema,
  unknownSetting,
} from '../settings.js'

export const openEmulator: typeof open = async (...args) =>
  (await import('../open-emulator.js')).openEmulator(...args)

export const createEmulator = async (...args: Parameters<typeof create>): Promise<Emulator> =>
  (await import('../emulator.js')).createEmulator(...args)

export const listen: typeof listenWith = async (...args) => (await import('../listen.js')).listen(...args)

export const invokeAction: typeof invoke = async (...args) =>
  (await import('../control/invoke.js')).invokeAction(...args)

export const diagnose: typeof diagnoseWith = async function* (...args) {
  yield* (await import('../observability/diagnostics.js')).diagnose(...args)
}

/** The OpenAPI document of an emulator, which answers at the default URL unless the options name another server. */
export const openApiDocument = async (options: NonNullable<Parameters<typeof documentOf>[1]>) => {
  const [{ DEFAULT_URL, openApiDocument }, { actions }] = await Promise.all([
    import('../openapi/document.js'),
    import('../control/actions/index.js'),
  ])
  return openApiDocument(actions, { ...options, server: options.server ?? DEFAULT_URL })
}
export type { Registry } from '../families/registry.js'
export { errorOfTask, isTaskFamily, tasksIn } from '../families/registry.js'

/** A control action as data. */
export interface DescribedAction {
  /** A sentence without a full stop. */
  readonly summary: string
  /** JSON Schema of its input: an object, or one of several objects. */
  readonly input: JsonSchema
}

/** Every control action by its name, with the schema of its input, for a program that offers them in another form. */
export const describeActions = async (): Promise<Readonly<Record<ActionName, DescribedAction>>> => {
  const [{ actions }, { toJsonSchema }] = await Promise.all([
    import('../control/actions/index.js'),
    import('../core/json-schema.js'),
  ])
  const entries = Object.entries(actions).map(([name, { summary, input }]) => [
    name,
    { summary, input: toJsonSchema(input, 'input') },
  ])
  return Object.fromEntries(entries)
}
