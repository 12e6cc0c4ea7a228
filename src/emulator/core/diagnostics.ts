import type { z } from 'zod'
import { allowedBy, fieldOf, shown, valueAt } from './request.js'
import { nearest, suggestion } from './suggest.js'

/** Maximum number of mistakes that are looked for or shown: a document of megabytes can be wrong in a million places. */
export const MAX_DIAGNOSTICS = 20

export type Path = readonly (string | number)[]

/** Diagnostic: an error in a document, with the path to it. */
export interface Diagnostic {
  readonly path: Path
  /** The key at the path is meant rather than its value. */
  readonly isKey?: boolean
  /** A sentence without a full stop. */
  readonly message: string
}

/** Diagnostic as text, with the path before the sentence. */
export const textOfDiagnostic = ({ path, message }: Diagnostic): string =>
  path.length === 0 ? message : `${fieldOf(path)}: ${message}`

/** Document schema: what the diagnostics of a kind of document depend on. */
interface DocumentSchema {
  readonly schema: z.ZodType
  /** The former spelling of each key that had another one. */
  readonly former?: Readonly<Record<string, string>>
  /** Whether what stands at a path must not be shown. Default: everything may be shown. */
  readonly isSecret?: (path: Path) => boolean
}

type Issue = z.core.$ZodIssue

/** Diagnostic of a schema violation. */
export interface ShapeDiagnostic extends Diagnostic {
  /** The key that was probably meant, or the one whose object has it, where an unknown one stands. */
  readonly meant?: string | undefined
  readonly isMissing?: boolean
  readonly isEmpty?: boolean
}

/** Diagnostics of a document that does not fit a schema, one for each issue. */
export const shapeDiagnostics = (
  shape: DocumentSchema,
  issues: readonly Issue[],
  document: unknown,
): ShapeDiagnostic[] =>
  issues.slice(0, MAX_DIAGNOSTICS + 1).flatMap((issue) => diagnosticsOfIssue(shape, issue, document))

const diagnosticsOfIssue = (shape: DocumentSchema, issue: Issue, document: unknown): ShapeDiagnostic[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_DIAGNOSTICS + 1).map((key) => unknownKeyAt(shape, issue.path as Path, key))
  if (issue.code === 'invalid_key') return [badKey(issue)]
  const branch = issue.code === 'invalid_union' ? nearestWay(shape, issue, document) : undefined
  return branch ?? [badValue(shape, issue, document)]
}

const unknownKeyAt = ({ schema, former = {} }: DocumentSchema, at: Path, key: string): ShapeDiagnostic => {
  const known = keysAt(schema, at)
  if (known.includes(key))
    return { path: [...at, key], isKey: true, message: `${key} cannot be with the other keys here` }
  const meant = nearest(key, known) ?? known.find((part) => keysAt(schema, [...at, part]).includes(key))
  const old = Object.values(former)
  const shown = known.filter((name) => name === meant || !old.includes(name))
  return { path: [...at, key], isKey: true, message: unknownKey(schema, at, key, shown), meant }
}

/** A key of an object whose keys are free, but not of any form. */
const badKey = ({ path, issues: [inner] }: Extract<Issue, { code: 'invalid_key' }>): ShapeDiagnostic => {
  const allowed = inner === undefined ? 'another one' : allowedBy(inner)
  return { path: path as Path, isKey: true, message: `the key ${shown(path.at(-1))} must be ${allowed}` }
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** Of the options of a union, what stands against the one that the value is nearest to; undefined when it is near none. */
const nearestWay = (
  shape: DocumentSchema,
  issue: UnionIssue,
  document: unknown,
): ShapeDiagnostic[] | undefined =>
  issue.errors
    // An issue with the whole value: it is of another kind altogether, and nothing inside of it was looked at.
    .filter((branch) => !branch.some(({ code, path }) => path.length === 0 && code !== 'unrecognized_keys'))
    .map((branch) => branch.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as Issue))
    .map((branch) => withoutConsequences(shapeDiagnostics(shape, branch, document), shape.former))
    .sort((a, b) => a.length - b.length)[0]

const badValue = ({ isSecret }: DocumentSchema, issue: Issue, document: unknown): ShapeDiagnostic => {
  const found = valueAt(document, issue.path)
  const path = issue.path as Path
  const name =
    path.findLast((step) => typeof step === 'string') ?? (path.length === 0 ? 'the file' : 'the item')
  const allowed = allowedIn(issue)
  if (found === undefined && path.length > 0)
    return { path, isMissing: true, message: `${name} is missing: it must be ${allowed}` }
  if (found === null && path.length === 0)
    return { path, message: `the file is empty: it must be ${allowed}` }
  const meant = typeof found === 'string' ? nearest(found, valuesOf(issue)) : undefined
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`
  const message = `${name} must be ${allowed}${isSecret?.(path) === true ? '' : `, found ${shown(found)}${hint}`}`
  return { path, message, isEmpty: issue.code === 'custom' }
}

const allowedIn = (issue: Issue): string => {
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return allowedBy(issue)
  const ways = issue.errors.flatMap((branch) => branch.filter(({ path }) => path.length === 0).map(allowedIn))
  return [...new Set(ways)].join(', or ')
}

const valuesOf = (issue: Issue): string[] => {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  return issue.code === 'invalid_union' ? issue.errors.flatMap((branch) => branch.flatMap(valuesOf)) : []
}

/** Without what follows from another one: a misspelt key is also missing, and its object is empty without it. */
export const withoutConsequences = (
  found: readonly ShapeDiagnostic[],
  former: DocumentSchema['former'] = {},
): ShapeDiagnostic[] => {
  const unknown = found.filter(({ isKey }) => isKey)
  const isIn = ({ path }: Diagnostic, object: Path) =>
    path.length === object.length + 1 && object.every((step, index) => step === path[index])
  const isMeant = ({ meant }: ShapeDiagnostic, key: string) =>
    meant !== undefined && (meant === key || former[key] === meant)
  return found.filter(({ path, isMissing, isEmpty }) => {
    const isMisspelt = unknown.some(
      (key) => isMeant(key, String(path.at(-1))) && isIn(key, path.slice(0, -1)),
    )
    return !(isMissing && isMisspelt) && !(isEmpty && unknown.some((key) => isIn(key, path)))
  })
}

type Schema = z.core.$ZodType

/** Message about an unknown key at a path of a document: which object near it has the key, or which keys are possible. */
export const unknownKey = (
  schema: Schema,
  at: readonly PropertyKey[],
  key: string,
  possible: readonly string[],
): string => {
  const place = placeOf(schema, at, key)
  return `there is no key ${JSON.stringify(key)} here${place === undefined ? suggestion(key, possible) : `: ${place}`}`
}

/** Where a key belongs: in an object inside of this one, around it or beside those, or undefined where it belongs in none of them. */
const placeOf = (schema: Schema, at: readonly PropertyKey[], key: string): string | undefined => {
  const hasKey = (path: readonly PropertyKey[]) => keysAt(schema, path).includes(key)
  for (let depth = at.length; depth >= 0; depth -= 1) {
    const around = at.slice(0, depth)
    const inner = at[depth]
    if (inner !== undefined && inner !== key && hasKey(around)) return `it stands beside ${String(inner)}`
    const parts = keysAt(schema, around).filter((part) => hasKey([...around, part]))
    if (parts.length > 0) return `it is a key of ${parts.join(' and of ')}`
  }
  return undefined
}

/** The keys that a zod schema knows at a path of a document, of all shapes that can stand there. */
export const keysAt = (schema: Schema, path: readonly PropertyKey[]): string[] => {
  const schemas = path.reduce<readonly Schema[]>(
    (outer, key) => outer.flatMap((schema) => schemasAtKey(schema, key)),
    unwrapped(schema),
  )
  return [...new Set(schemas.flatMap((schema) => Object.keys(shapeOf(schema))))]
}

const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def

const schemasAtKey = (schema: Schema, key: PropertyKey): readonly Schema[] => {
  const def = definitionOf(schema)
  if (def.type === 'array') return unwrapped(def.element)
  if (def.type === 'record') return unwrapped(def.valueType)
  const inner = shapeOf(schema)[String(key)]
  return inner === undefined ? [] : unwrapped(inner)
}

const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> => {
  const def = definitionOf(schema)
  if (def.type === 'object') return def.shape
  if (def.type !== 'record') return {}
  const keys = definitionOf(def.keyType)
  const names = keys.type === 'enum' ? Object.values(keys.entries) : []
  return Object.fromEntries(names.map((name) => [name, def.valueType]))
}

/** A schema without what makes it optional, and each option of a union. */
const unwrapped = (schema: Schema): readonly Schema[] => {
  const def = definitionOf(schema)
  switch (def.type) {
    case 'default':
    case 'optional':
    case 'nullable':
      return unwrapped(def.innerType)
    case 'union':
      return def.options.flatMap(unwrapped)
    case 'pipe':
      return unwrapped(def.in)
    default:
      return [schema]
  }
}
