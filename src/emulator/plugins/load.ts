import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyFamily } from '../core/contract.js'
import { EmulatorError } from '../core/errors.js'
import { suggestingRefusals } from '../core/request.js'
import type { Settings } from '../core/settings.js'
import { suggestion } from '../core/suggest.js'
import { createRegistry, type Registry } from '../families/registry.js'
import { importModuleFile, isModuleFile } from '../module-file.js'
import { problemsOf } from './check.js'
import { trialProblems } from './trial.js'

/** A family from outside, as a setting names it: a file, a package, or the family itself. */
type GivenFamily = Settings['families'][number]

/**
 * Registry of the families of another one and of those that the settings name. Nothing is added where one of them is broken.
 * @returns the registry, and the settings with the defaults of the families' own filled in
 * @throws EmulatorError `bad-family`, which names the file and everything that is wrong; `bad-setting` for `familySettings`
 */
export const openRegistry = async (
  settings: Settings,
  base: Registry,
): Promise<{ readonly registry: Registry; readonly settings: Settings }> => {
  const all: AnyFamily[] = [...base.families]
  const own: Record<string, Settings['familySettings'][string]> = { ...settings.familySettings }
  for (const given of settings.families) {
    const name = typeof given === 'string' ? given : `families[${settings.families.indexOf(given)}]`
    for (const family of await familiesOf(given)) {
      const problems = problemsOf(family, all)
      if (problems.length > 0) throw badFamily(name, problems)
      const added = family as AnyFamily
      const ofFamily = readOwnSettings(added, own[added.id])
      if (ofFamily !== undefined) own[added.id] = ofFamily
      const wrong = trialProblems(added, { ...settings, familySettings: own })
      if (wrong.length > 0) throw badFamily(name, wrong)
      all.push(added)
    }
  }
  const known = all.filter((family) => family.settings !== undefined).map(({ id }) => id)
  const unknown = Object.keys(own).find((id) => !known.includes(id))
  if (unknown !== undefined)
    throw new EmulatorError(
      `familySettings.${unknown}: no family of that id has settings${suggestion(unknown, known)}.`,
      { code: 'bad-setting', hint: 'The setting families names the families that are added.' },
    )
  return { registry: createRegistry(all), settings: { ...settings, familySettings: own } }
}

const badFamily = (name: string, problems: readonly string[], cause?: unknown): EmulatorError =>
  new EmulatorError(`The family of ${name} cannot be added: ${problems.join('; ')}.`, {
    code: 'bad-family',
    hint: 'docs/adding-a-family.md describes what a family is made of.',
    cause,
  })

const readOwnSettings = (
  { id, settings }: AnyFamily,
  given: unknown,
): Settings['familySettings'][string] | undefined => {
  if (settings === undefined) return undefined
  const shape = settings.safeParse(given ?? {})
  if (shape.success) return shape.data as Settings['familySettings'][string]
  const problems = suggestingRefusals(shape.error.issues, given ?? {})
  throw new EmulatorError(`${problems.map(({ message }) => `familySettings.${id}.${message}`).join('; ')}.`, {
    code: 'bad-setting',
    hint: `The settings of ${id} are those that its family declares.`,
  })
}

/** What a module exports, or the family that was handed in: one, or a list. */
const familiesOf = async (given: GivenFamily): Promise<readonly unknown[]> => {
  if (typeof given !== 'string') return [given]
  const path = await pathOf(given)
  let exported: unknown
  try {
    // So that a TypeScript file has the toolkit of this very emulator, also where the package is not installed beside it.
    const toolkit = await import('../families/toolkit.js')
    exported = defaultOf(await importModuleFile(path, undefined, { 'backlot/family': toolkit }))
  } catch (cause) {
    const { name, message } = cause instanceof Error ? cause : { name: 'Error', message: String(cause) }
    throw badFamily(given, [`it throws while it loads: ${name}: ${message}`], cause)
  }
  const list = Array.isArray(exported) ? exported : [exported]
  if (list.length > 0 && list.every((one) => typeof one === 'object' && one !== null)) return list
  throw badFamily(given, ['its default export must be a family, or a list of them'])
}

// A CommonJS module arrives with its exports under `default`, and one that was compiled to CommonJS twice so.
const defaultOf = (module: object): unknown => {
  const first = 'default' in module ? module.default : undefined
  const isWrapped = typeof first === 'object' && first !== null && 'default' in first && !('id' in first)
  return isWrapped ? first.default : first
}

/** Path of a module: of a file, beside the working directory, or of a package that can be found from there. */
const pathOf = async (name: string): Promise<string> => {
  if (isModuleFile(name) || name.startsWith('.') || isAbsolute(name)) {
    const path = resolve(name)
    if (existsSync(path)) return path
    throw badFamily(name, [`there is no file ${path}`])
  }
  const { createJiti } = await import('jiti')
  const found = createJiti(join(process.cwd(), 'families.js')).esmResolve(name, { try: true })
  if (found === undefined) throw badFamily(name, ['there is no package of that name; a file begins with ./'])
  return fileURLToPath(found)
}
