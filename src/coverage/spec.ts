import { allRules } from '../control/rules.js'
import type { AnyTaskFamily, Gap } from '../core/contract.js'
import type { ErrorSpec } from '../core/errors.js'
import type { Route } from '../core/model/call.js'
import type { State } from '../core/model/task.js'
import { resultRules } from '../core/result.js'
import { statesOf } from '../core/task/timeline.js'
import { families, gaps, operations, taskFamilies } from '../families/index.js'
import { precheckRules } from '../service/prechecks.js'

/**
 * When a rule is checked. `key`: the credentials; `rate`: the rate limit; `body`: whether the body can be read; `shape`: a
 * field of it; `strict`: unknown fields; `rule`: everything else, in order; `room`: for the task. A call that is refused at one stage is not checked at the next.
 */
export type Stage = (typeof stages)[number]
const stages = ['key', 'rate', 'body', 'shape', 'strict', 'rule', 'room'] as const

/** A rule of an operation. */
export interface CoveredRule {
  readonly id: string
  readonly sentence: string
  readonly place: string
  readonly stage: Stage
  /** Path of the field that a rule of the shape is about: `content[].text`. Undefined: of no field. */
  readonly field?: string
}

/** An operation with its rules, in the order in which they are checked. */
export interface CoveredOperation {
  readonly id: string
  readonly family: string
  readonly route: Route
  readonly rules: readonly CoveredRule[]
  /** Whether all rules of its last stage are checked, rather than those up to the first refusal. */
  readonly checksAll: boolean
}

/** A family as coverage counts it. */
export interface CoveredFamily {
  readonly id: string
  readonly errors: Readonly<Record<string, ErrorSpec>>
  /** The states of tasks that can be asked for; empty where there is no query. */
  readonly states: readonly State[]
  readonly canCancel: boolean
  readonly callbacks: 'none' | 'plain' | 'with-challenge'
}

/** What there is to cover. */
export interface CoverageSpec {
  readonly operations: ReadonlyMap<string, CoveredOperation>
  readonly families: readonly CoveredFamily[]
  readonly gaps: readonly Gap[]
}

const stageOf = (id: string, family: string): Stage => {
  const name = id.slice(family.length + 1)
  if (name === 'credentials') return 'key'
  if (name === 'rate-limit') return 'rate'
  if (name === 'strict') return 'strict'
  if (name === 'room-for-task') return 'room'
  if (/^(content-type|body-|room-for-body)/.test(name)) return 'body'
  return /^(schema|list)(\.|$)/.test(name) ? 'shape' : 'rule'
}

// Bounds of the emulator's memory and disk, which no client can plan to meet.
const BOUNDS = /\.(room-for-body|body-can-be-kept)$/

const rulesOf = (operation: (typeof operations)[number]): CoveredRule[] => {
  const rules = allRules([operation], taskFamilies, precheckRules)
    .filter(({ id }) => id.startsWith(`${operation.family}.`) && !BOUNDS.test(id))
    .map(({ id, sentence, place }): CoveredRule => {
      const stage = stageOf(id, operation.family)
      const [, field] = /\.(?:schema|list)\.(.+)$/.exec(id) ?? []
      return { id, sentence, place, stage, ...(field === undefined ? {} : { field }) }
    })
  return stages.flatMap((stage) => rules.filter((rule) => rule.stage === stage))
}

const download: CoveredOperation = {
  id: 'results.download',
  family: 'results',
  route: { method: 'GET', path: '/results/{account}/{task_id}/{file}' },
  rules: resultRules.map(({ id, says, place }) => ({
    id: `results.${id}`,
    sentence: says,
    place,
    stage: 'rule',
  })),
  checksAll: false,
}

const isTaskFamily = (family: (typeof families)[number]): family is AnyTaskFamily => 'routes' in family

const coveredFamily = (family: (typeof families)[number]): CoveredFamily => {
  const isTask = isTaskFamily(family)
  const hasQuery = isTask && family.routes.read !== undefined
  const callback = isTask ? family.callback : undefined
  return {
    id: family.id,
    errors: family.errors,
    states: hasQuery ? statesOf(family) : [],
    canCancel: isTask && family.routes.cancel !== undefined,
    callbacks: callback === undefined ? 'none' : callback.handshake ? 'with-challenge' : 'plain',
  }
}

/** Coverage specification of the service. Built once: reading rules off the schemas takes some milliseconds. */
export const coverageSpec = (): CoverageSpec => {
  built ??= {
    operations: new Map(
      [
        ...operations.map((operation) => ({
          id: operation.id,
          family: operation.family,
          route: operation.route,
          rules: rulesOf(operation),
          checksAll: operation.makes === 'task',
        })),
        download,
      ].map((operation) => [operation.id, operation]),
    ),
    families: families.map(coveredFamily),
    gaps,
  }
  return built
}

let built: CoverageSpec | undefined
