import type { z } from 'zod'
import { nearest } from '../../request/nearest.js'
import { valueAt } from '../../request/path.js'
import { allowedBy, shown } from '../../request/shape-refusals.js'
import { scenarioSchema } from '../scenario.js'
import { type Diagnostic, type Path, unknownKey } from './complaint.js'
import { keysAt } from './keys-at.js'

type Issue = z.core.$ZodIssue

/** What the schema has against a document, in words: unknown keys with the nearest known one, values with what may stand there. */
export const shapeComplaints = (issues: readonly Issue[], document: unknown): Diagnostic[] =>
  withoutConsequences(issues.flatMap((issue) => complaintsOfIssue(issue, document)))

interface ShapeComplaint extends Diagnostic {
  /** The key that was probably meant, where an unknown one stands. */
  readonly meant?: string
  readonly isMissing?: boolean
  readonly isEmpty?: boolean
}

const complaintsOfIssue = (issue: Issue, document: unknown): ShapeComplaint[] => {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => complaintOfKey(issue.path as Path, key))
  const ways = issue.code === 'invalid_union' ? nearestWay(issue, document) : undefined
  return ways ?? [badValue(issue, document)]
}

const complaintOfKey = (at: Path, key: string): ShapeComplaint => {
  const known = keysAt(scenarioSchema, at)
  const meant = nearest(key, known)
  return {
    path: [...at, key],
    isKey: true,
    message: unknownKey(key, known),
    ...(meant === undefined ? {} : { meant }),
  }
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

/** Of the ways in which a value could have fitted, what stands against the one that it is nearest to; undefined when it is near none. */
const nearestWay = (issue: UnionIssue, document: unknown): ShapeComplaint[] | undefined => {
  const ways = issue.errors
    .filter((way) => !way.some(isOfTheWhole))
    .map((way) => way.map((one) => ({ ...one, path: [...issue.path, ...one.path] }) as Issue))
    .map((way) => withoutConsequences(way.flatMap((one) => complaintsOfIssue(one, document))))
    .sort((a, b) => a.length - b.length)
  return ways[0]
}

// Then the value is of another kind altogether, and nothing inside of it has been looked at.
const isOfTheWhole = ({ code, path }: Issue): boolean => path.length === 0 && code !== 'unrecognized_keys'

const badValue = (issue: Issue, document: unknown): ShapeComplaint => {
  const found = valueAt(document, issue.path)
  const path = issue.path as Path
  const name = String(path.findLast((step) => typeof step === 'string') ?? 'the file')
  const allowed = allowedIn(issue)
  if (found === undefined && path.length > 0)
    return { path, isMissing: true, message: `${name} is missing: it must be ${allowed}` }
  const hint = typeof found === 'string' ? meantValue(issue, found) : ''
  return {
    path,
    message: `${name} must be ${allowed}, found ${shown(found)}${hint}`,
    ...(issue.code === 'custom' ? { isEmpty: true } : {}),
  }
}

const allowedIn = (issue: Issue): string => {
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ')
  if (issue.code !== 'invalid_union') return allowedBy(issue)
  const ways = issue.errors.flatMap((way) => way.filter(({ path }) => path.length === 0).map(allowedIn))
  return [...new Set(ways)].join(', or ')
}

const meantValue = (issue: Issue, found: string): string => {
  const meant = nearest(found, valuesOf(issue))
  return meant === undefined ? '' : `: did you mean ${meant}?`
}

const valuesOf = (issue: Issue): string[] => {
  if (issue.code === 'invalid_value') return issue.values.map(String)
  return issue.code === 'invalid_union' ? issue.errors.flatMap((way) => way.flatMap(valuesOf)) : []
}

// A key that was misspelt is also missing, and its object is empty without it; one complaint is enough.
const withoutConsequences = (diagnostics: readonly ShapeComplaint[]): ShapeComplaint[] => {
  const unknown = diagnostics.filter(({ isKey }) => isKey)
  const isSameObject = (a: Path, b: Path) =>
    a.length === b.length && a.every((step, index) => step === b[index])
  return diagnostics.filter(
    ({ path, isMissing, isEmpty }) =>
      !(
        isMissing &&
        unknown.some(
          (one) => one.meant === path.at(-1) && isSameObject(one.path.slice(0, -1), path.slice(0, -1)),
        )
      ) && !(isEmpty && unknown.some((one) => isSameObject(one.path.slice(0, -1), path))),
  )
}
