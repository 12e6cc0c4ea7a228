import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import {
  type Diagnostic,
  MAX_DIAGNOSTICS,
  shapeDiagnostics,
  withoutConsequences,
} from '../core/diagnostics.js'
import { EmulatorError, systemReason, whyUnreadable } from '../core/errors.js'
import { isRecord, notJson } from '../core/request.js'
import { importModuleFile, isModuleFile } from '../module-file.js'
import { type LocatedDiagnostic, type PlaceOf, parseLocated, readTextFile } from '../scenarios/located.js'
import { version } from '../version.js'
import { type Profile, profileSchema } from './schema.js'

/** A profile as users give it: a file, or the document itself. */
export type GivenProfile = string | object

/** A profile that was read, with what finds its places. */
export interface ProfileSource {
  /** How messages call it: the file, or `profile` for a document in code. */
  readonly name: string
  /** The file; undefined for a document in code. */
  readonly file: string | undefined
  /** Folder from which the paths in it count. */
  readonly folder: string
  readonly profile: Profile
  /** Undefined where it has no lines, since it comes from code. */
  readonly placeOf: PlaceOf | undefined
}

/** A profile file that was read, or everything that is wrong in it by itself: names are checked against the families (load.ts). */
type ReadProfile = ProfileSource | { readonly diagnostics: readonly (LocatedDiagnostic | Diagnostic)[] }

/**
 * Reads a profile: a file in YAML or JSON, a module in JavaScript or TypeScript that exports it by default, or a document.
 * @param position among those that are given, for the name of a document
 * @throws EmulatorError `no-such-file`, or `bad-profile` where a module cannot be loaded
 */
export const readProfile = async (given: GivenProfile, position = 0): Promise<ReadProfile> => {
  if (typeof given === 'object') {
    const name = position === 0 ? 'profile' : `profile[${position}]`
    return fromDocument(given, { name, file: undefined, folder: process.cwd() })
  }
  const source = { name: given, file: given, folder: dirname(resolve(given)) }
  if (isModuleFile(given)) return fromDocument(await documentOfModule(given), source)
  return parseLocated<ProfileSource>(await textOf(given), (document, placeOf) => {
    const read = validate(document)
    return 'diagnostics' in read ? read : { ...source, ...read, placeOf }
  })
}

const fromDocument = (
  document: unknown,
  source: Pick<ProfileSource, 'name' | 'file' | 'folder'>,
): ReadProfile => {
  const read = validate(document)
  return 'diagnostics' in read ? read : { ...source, ...read, placeOf: undefined }
}

const validate = (document: unknown): { profile: Profile } | { diagnostics: readonly Diagnostic[] } => {
  const wrong = notJson(document)
  if (wrong !== undefined) return { diagnostics: [{ path: [], message: wrong }] }
  const read = profileSchema.safeParse(document)
  if (read.success) return { profile: read.data }
  const shape = { schema: profileSchema, isSecret: ([...path]) => path.at(-1) === 'secret' }
  const found = withoutConsequences(shapeDiagnostics(shape, read.error.issues, document))
  return { diagnostics: [...ofNewerVersion(document), ...found.slice(0, MAX_DIAGNOSTICS)] }
}

/** What a profile that has mistakes was written by, where that is a newer version: they may be none there. */
const ofNewerVersion = (document: unknown): Diagnostic[] => {
  const writtenBy = isRecord(document) ? document.writtenBy : undefined
  if (typeof writtenBy !== 'string' || !isNewer(writtenBy, version)) return []
  const message = `this profile was written by Backlot ${writtenBy}, and this is ${version}, which does not know all of it`
  return [{ path: ['writtenBy'], message }]
}

const isNewer = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (let index = 0; index < 3; index += 1) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}

const textOf = async (path: string): Promise<string> => {
  try {
    return await readTextFile(path)
  } catch (error) {
    throw noSuchFile(path, error)
  }
}

const noSuchFile = (path: string, cause: unknown): EmulatorError =>
  new EmulatorError(whyUnreadable(path, cause), {
    code: 'no-such-file',
    hint: 'docs/profiles.md says what a profile holds.',
    cause,
  })

const documentOfModule = async (path: string): Promise<unknown> => {
  const status = await stat(path).catch((error) => {
    throw noSuchFile(path, error)
  })
  const load = async () => {
    try {
      return await importModuleFile(resolve(path), status.mtimeMs)
    } catch (cause) {
      const [why = ''] = systemReason(cause).split('\n')
      throw new EmulatorError(`${path} cannot be loaded: ${why.replace(/[.:]$/, '')}.`, {
        code: 'bad-profile',
        cause,
      })
    }
  }
  const module = await load()
  if ('default' in module) return module.default
  throw new EmulatorError(`${path} has no default export.`, {
    code: 'bad-profile',
    hint: 'Write `export default { models: { … } }`.',
  })
}
