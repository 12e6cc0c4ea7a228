import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import type { AnyFamily } from '../core/contract.js'
import { type Diagnostic, MAX_DIAGNOSTICS, type Path, textOfDiagnostic } from '../core/diagnostics.js'
import { EmulatorError, whyUnreadable } from '../core/errors.js'
import { isRecord } from '../core/request.js'
import { nearest, suggestion } from '../core/suggest.js'
import { builtIn } from '../families/index.js'
import { isModuleFile } from '../module-file.js'
import { diagnosticText, type LocatedDiagnostic, parseLocated, readTextFile } from '../scenarios/located.js'
import { AnswerChanges } from './answers.js'
import { applyProfile } from './apply.js'
import { type MergedProfile, mergeProfiles, placeText } from './merge.js'
import { type GivenProfile, type ProfileSource, readProfile } from './read.js'
import { type RouteFile, templateRoots } from './routes.js'
import { type Profile, profileKeys } from './schema.js'
import { templatePaths } from './templates.js'

/** Profiles that were read, merged and checked, as an emulator uses them. */
export interface LoadedProfile {
  readonly merged: MergedProfile
  /** The families as the profile has them, its routes among them. */
  readonly families: readonly AnyFamily[]
  /** Undefined where no answer is changed. */
  readonly answers: AnswerChanges | undefined
  /** What was given, in its order: it is read again when one of its files changes. */
  readonly given: readonly GivenProfile[]
  /** The families that it changes. */
  readonly base: readonly AnyFamily[]
  readonly files: readonly string[]
}

/**
 * Reads profiles, the later ones win.
 * @param base the families that they change
 * @throws EmulatorError `no-such-file`, or `bad-profile` with everything that is wrong and its place
 */
export const loadProfiles = async (
  given: readonly GivenProfile[],
  base: readonly AnyFamily[],
): Promise<LoadedProfile> => {
  const read = await Promise.all(
    given.map(async (one, position) => ({ one, read: await readProfile(one, position) })),
  )
  const wrong = read.flatMap(({ one, read }) =>
    'diagnostics' in read
      ? read.diagnostics.map((diagnostic) => textIn(typeof one === 'string' ? one : 'profile', diagnostic))
      : [],
  )
  if (wrong.length > 0) throw badProfile(wrong)
  const sources = read.flatMap(({ read }) => ('diagnostics' in read ? [] : [read]))
  const checked = await check(sources, base)
  if (checked.diagnostics.length > 0)
    throw badProfile(checked.diagnostics.map(({ place, message }) => `${place}: ${message}`))
  const { answers } = checked.merged.profile
  return {
    merged: checked.merged,
    families: checked.families,
    given,
    base,
    answers:
      answers === undefined || Object.keys(answers).length === 0
        ? undefined
        : new AnswerChanges(answers, (key) => labelOf(['answers', key], checked.merged)),
    files: sources.flatMap(({ file }) => file ?? []),
  }
}

/** A key of a profile with its place: `answers.c-video.read (my-service.yaml:12:3)`. */
const labelOf = (path: Path, { originOf }: MergedProfile): string => {
  const origin = originOf(path)
  return `${path.join('.')}${origin === undefined ? '' : ` (${placeText(origin, true)})`}`
}

/** A profile file that was checked: what it holds, or what is wrong in it. */
type CheckedProfile = { readonly profile: Profile } | { readonly diagnostics: readonly LocatedDiagnostic[] }

/**
 * Checks a profile file by itself.
 * @param base the families that it changes. Default: the built-in ones
 * @throws EmulatorError `no-such-file`, or `bad-profile` where a module cannot be loaded
 */
export const checkProfileFile = async (
  path: string,
  base: readonly AnyFamily[] = builtIn.families,
): Promise<CheckedProfile> => {
  const read = await readProfile(path)
  if ('diagnostics' in read)
    return {
      diagnostics: read.diagnostics.map((one) =>
        'line' in one ? one : { line: 1, column: 1, message: textOfDiagnostic(one) },
      ),
    }
  const { diagnostics } = await check([read], base)
  if (diagnostics.length === 0) return { profile: read.profile }
  return { diagnostics: diagnostics.map(({ line, column, message }) => ({ line, column, message })) }
}

/** Whether a file holds a profile rather than a scenario, by its keys. What cannot be read is taken for neither. */
export const isProfile = async (path: string): Promise<boolean> => {
  if (isModuleFile(path)) return true
  const keys = new Set<string>()
  try {
    await parseLocated(await readTextFile(path), (document) => {
      for (const key of isRecord(document) ? Object.keys(document) : []) keys.add(key)
      return {}
    })
  } catch {
    return false
  }
  // Those that only a profile has.
  const own = profileKeys.filter((key) => !['$schema', 'description'].includes(key))
  const isMeant = (key: string) => own.includes(key) || nearest(key, own) !== undefined
  return !SCENARIO_KEYS.some((key) => keys.has(key)) && [...keys].some(isMeant)
}

/** Keys without which there is no scenario. */
const SCENARIO_KEYS = ['name', 'steps']

const badProfile = (problems: readonly string[]): EmulatorError =>
  new EmulatorError(`The profile cannot be used.\n${problems.join('\n')}`, {
    code: 'bad-profile',
    hint: 'docs/profiles.md describes every key; `backlot check FILE` checks a file.',
  })

const textIn = (name: string, diagnostic: Diagnostic | LocatedDiagnostic): string =>
  'line' in diagnostic ? diagnosticText(name, diagnostic) : `${name}: ${textOfDiagnostic(diagnostic)}`

const check = async (sources: readonly ProfileSource[], base: readonly AnyFamily[]) => {
  const merged = mergeProfiles(sources)
  const place = (path: Path, isKey = false): string => {
    const origin = merged.originOf(path)
    return origin === undefined ? 'profile' : placeText(origin, isKey)
  }
  const read = await readRouteFiles(merged)
  const applied = applyProfile(merged.profile, base, read.files, place)
  const diagnostics = [
    ...repeatedRoutes(sources),
    ...[...read.diagnostics, ...templateDiagnostics(merged.profile), ...applied.diagnostics].map(
      (diagnostic) => placed(diagnostic, merged),
    ),
  ]
  return { merged, families: applied.families, diagnostics: diagnostics.slice(0, MAX_DIAGNOSTICS) }
}

const placed = ({ path, isKey = false, message }: Diagnostic, merged: MergedProfile) => {
  const origin = merged.originOf(path)
  const { line, column } = origin?.source.placeOf?.(origin.path, isKey) ?? { line: 1, column: 1 }
  const isLocated = origin?.source.placeOf !== undefined
  return {
    place: origin === undefined ? 'profile' : placeText(origin, isKey),
    line,
    column,
    // Without lines, the path says where.
    message: isLocated ? message : textOfDiagnostic({ path, message }),
  }
}

/** Routes of one profile that have one id. Of two profiles, the later one wins. */
const repeatedRoutes = (sources: readonly ProfileSource[]) =>
  sources.flatMap((source) => {
    const routes = source.profile.routes ?? []
    return routes.flatMap(({ id }, index) => {
      const first = routes.findIndex((route) => route.id === id)
      if (first === index) return []
      const path = ['routes', index, 'id']
      const { line, column } = source.placeOf?.(path) ?? { line: 1, column: 1 }
      const other =
        source.placeOf === undefined
          ? `routes[${first}]`
          : placeText({ source, path: ['routes', first, 'id'] })
      return [
        {
          place: placeText({ source, path }),
          line,
          column,
          message: `there are two routes ${id}: the other stands at ${other}`,
        },
      ]
    })
  })

const types: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
}

/** The files that routes answer, by the id of the route. */
const readRouteFiles = async ({ profile, originOf }: MergedProfile) => {
  const files = new Map<string, RouteFile>()
  const diagnostics: Diagnostic[] = []
  for (const [index, { id, answer }] of (profile.routes ?? []).entries()) {
    if (answer?.file === undefined) continue
    const path = ['routes', index, 'answer', 'file']
    const file = resolve(originOf(path)?.source.folder ?? '', answer.file)
    try {
      const contentType = types[extname(file).toLowerCase()] ?? 'application/octet-stream'
      files.set(id, { bytes: await readFile(file), contentType })
    } catch (error) {
      diagnostics.push({ path, message: whyUnreadable(answer.file, error).replace(/\.$/, '') })
    }
  }
  return { files, diagnostics }
}

/** Templates of routes that name what no call has, or its path has not. */
const templateDiagnostics = ({ routes = [] }: Profile): Diagnostic[] =>
  routes.flatMap(({ answer = {}, path: route }, index) =>
    (['headers', 'body', 'text'] as const).flatMap((key) =>
      templatePaths(answer[key]).flatMap((template) => {
        const message = templateProblem(template, route)
        return message === undefined ? [] : [{ path: ['routes', index, 'answer', key], message }]
      }),
    ),
  )

const templateProblem = (template: string, route: string): string | undefined => {
  const [root = '', name = ''] = template.split(/[.[]/)
  if (!(templateRoots as readonly string[]).includes(root))
    return `{{${template}}} begins with none of ${templateRoots.join(', ')}`
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
  if (root !== 'path' || name === '' || names.includes(name)) return undefined
  return `the path has no {${name}}${suggestion(name, names)}`
}

/**
 * A profile as recordings hold it: a replay decides by it. It compares what is decided, so that changes of answers are left out,
 * and so are secrets.
 */
export const recordableProfile = ({ merged }: LoadedProfile): Profile => {
  const { answers: _, callbacks, ...profile } = merged.profile
  if (callbacks === undefined) return profile
  const unsigned = Object.entries(callbacks).map(([family, { signature: _, ...row }]) => [family, row])
  return { ...profile, callbacks: Object.fromEntries(unsigned) }
}
