import { type DeliveryPolicy, defaultDelivery } from '../core/callback/delivery.js'
import type { AnyFamily, AnyTaskFamily, CallbackContract } from '../core/contract.js'
import type { Diagnostic, Path } from '../core/diagnostics.js'
import { EmulatorError } from '../core/errors.js'
import { type FactChanges, withFacts } from '../core/family-facts.js'
import { suggestion } from '../core/suggest.js'
import { isTaskFamily } from '../families/registry.js'
import { answerDiagnostics } from './answer-check.js'
import { pathDiagnostics, withPaths } from './paths.js'
import { type RouteFile, routeFamily } from './routes.js'
import type { CallbackChange, Profile } from './schema.js'
import { timingDiagnostics, withTiming } from './timing.js'

/** Families as a profile changes them, and everything that is wrong with the profile. */
interface Applied {
  readonly families: readonly AnyFamily[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads families through a profile: models, errors, rules, timing, callbacks, paths, and its routes as one more family. What is
 * wrong is left out and reported with its path.
 * @param placeOf place of a path of the profile, for messages about two of them
 */
export const applyProfile = (
  profile: Profile,
  given: readonly AnyFamily[],
  files: ReadonlyMap<string, RouteFile>,
  placeOf: (path: Path) => string,
): Applied => {
  const application = new Application(given, placeOf)
  application.changeModels(profile.models ?? {})
  application.changeErrors(profile)
  application.changeRules(profile.rules ?? {})
  application.changeTiming(profile.timing ?? {})
  application.changeCallbacks(profile.callbacks ?? {})
  const routes = routeFamily(profile.routes ?? [], files)
  const { paths } = profile
  const renamed =
    paths === undefined
      ? application.families
      : application.families.map((family) => withPaths(family, paths))
  const families = routes === undefined ? renamed : [...renamed, routes]
  return {
    families,
    diagnostics: [
      ...application.diagnostics,
      ...pathDiagnostics(profile, application.families, renamed, placeOf),
      ...answerDiagnostics(profile, families, placeOf),
    ],
  }
}

/** One application of a profile: the families as they are so far, and what was wrong. */
class Application {
  #families: readonly AnyFamily[]
  readonly #placeOf: (path: Path) => string
  readonly diagnostics: Diagnostic[] = []

  constructor(families: readonly AnyFamily[], placeOf: (path: Path) => string) {
    this.#families = families
    this.#placeOf = placeOf
  }

  get families(): readonly AnyFamily[] {
    return this.#families
  }

  /** A model is changed, or made, in each family that knows it or the one that it is like. */
  changeModels(models: NonNullable<Profile['models']>): void {
    for (const [id, model] of inOrder(models)) {
      const path = ['models', id]
      const { like = id } = model
      const holders = this.#withModel(id)
      const able = this.#withModel(like)
      const all = this.#families.flatMap(modelsOf)
      if (able.length === 0)
        this.#report(
          model.like === undefined ? path : [...path, 'like'],
          `there is no model ${JSON.stringify(like)}${suggestion(like, [...new Set(all)])}`,
          model.like === undefined,
        )
      else if (model.like !== undefined && holders.length > 0)
        this.#report(
          path,
          `there are two models ${id}: ${holders.map((family) => family.id).join(' and ')} has this one already, so leave out like to change it`,
        )
      else for (const family of able) this.#changeFacts(family.id, { models: { [id]: model } }, path)
    }
  }

  changeErrors({ errors = {}, cases = {} }: Profile): void {
    for (const [id, rows] of Object.entries(errors))
      if (this.#has(id, ['errors', id], this.#families))
        for (const [error, row] of Object.entries(rows))
          this.#changeFacts(id, { errors: { [error]: row } }, ['errors', id, error])
    for (const [id, names] of Object.entries(cases))
      if (this.#has(id, ['cases', id], this.#families))
        for (const [name, error] of Object.entries(names))
          this.#changeFacts(id, { wellKnown: { [name]: error } }, ['cases', id, name])
  }

  changeRules(rules: Rules): void {
    for (const [key, rule] of Object.entries(rules)) {
      const [id = '', ...rest] = key.split('.')
      const path = ['rules', key]
      if (rest.length === 0 || !this.#families.some((family) => family.id === id))
        this.#report(path, `there is no rule ${JSON.stringify(key)}${suggestion(key, this.#ruleNames())}`)
      else if (!this.#contradictsItself(rule, path))
        this.#changeFacts(id, { rules: { [rest.join('.')]: rule } }, path)
    }
  }

  /** Whether a rule has a bound below another one that the profile gives too. */
  #contradictsItself(rule: Rules[string], path: Path): boolean {
    if (rule === 'off') return false
    for (const [min, low] of Object.entries(rule)) {
      const max = min.replace(/^min/, 'max')
      const high = rule[max]
      if (max === min || typeof low !== 'number' || typeof high !== 'number' || low <= high) continue
      const place = this.#placeOf([...path, max])
      this.#report([...path, min], `${min} is ${low} and ${max} at ${place} is ${high}, below it`, false)
      return true
    }
    return false
  }

  changeTiming(timing: NonNullable<Profile['timing']>): void {
    for (const [id, row] of Object.entries(timing)) {
      const family = this.#taskFamily(id, ['timing', id], ({ routes }) => routes.read !== undefined)
      if (family === undefined) continue
      this.diagnostics.push(...timingDiagnostics(family, row, ['timing', id]))
      this.#put(withTiming(family, row))
    }
  }

  changeCallbacks(callbacks: NonNullable<Profile['callbacks']>): void {
    for (const [id, row] of Object.entries(callbacks)) {
      const family = this.#taskFamily(id, ['callbacks', id], ({ callback }) => callback !== undefined)
      if (family !== undefined) this.#put(withCallbacks(family, row))
    }
  }

  #withModel(id: string): readonly AnyFamily[] {
    return this.#families.filter((family) => modelsOf(family).includes(id))
  }

  #taskFamily(id: string, path: Path, isAble: (family: AnyTaskFamily) => boolean): AnyTaskFamily | undefined {
    const able = this.#families.filter(isTaskFamily).filter(isAble)
    return this.#has(id, path, able) ? able.find((family) => family.id === id) : undefined
  }

  #has(id: string, path: Path, possible: readonly AnyFamily[]): boolean {
    const ids = possible.map((family) => family.id)
    if (!ids.includes(id))
      this.#report(path, `there is no family ${JSON.stringify(id)} here${suggestion(id, ids)}`)
    return ids.includes(id)
  }

  #put(changed: AnyFamily): void {
    this.#families = this.#families.map((family) => (family.id === changed.id ? changed : family))
  }

  #changeFacts(id: string, changes: FactChanges, path: Path): void {
    const family = this.#families.find((one) => one.id === id)
    if (family === undefined) return
    try {
      this.#put(withFacts(family, changes))
    } catch (error) {
      if (!(error instanceof EmulatorError)) throw error
      this.#report(path, error.sentence.replace(/\.$/, ''))
    }
  }

  #ruleNames(): string[] {
    return this.#families.flatMap(({ id, rules = [], jobLimits = [] }) =>
      [...rules, ...jobLimits].map((rule) => `${id}.${rule.id}`),
    )
  }

  #report(path: Path, message: string, isKey = true): void {
    this.diagnostics.push({ path, message, isKey })
  }
}

type Models = NonNullable<Profile['models']>
type Rules = NonNullable<Profile['rules']>

/** Models in an order in which each comes behind the one that it is like. */
const inOrder = (models: Models): [string, Models[string]][] => {
  const sorted = new Map<string, Models[string]>()
  const visit = (id: string, before: readonly string[]): void => {
    const model = models[id]
    if (model === undefined || sorted.has(id) || before.includes(id)) return
    if (model.like !== undefined) visit(model.like, [...before, id])
    sorted.set(id, model)
  }
  for (const id of Object.keys(models)) visit(id, [])
  return [...sorted]
}

const modelsOf = (family: AnyFamily): readonly string[] =>
  isTaskFamily(family) ? family.models : Object.keys(family.facts?.models ?? {})

const withCallbacks = (family: AnyTaskFamily, row: CallbackChange): AnyTaskFamily => {
  const callback = family.callback as CallbackContract<unknown>
  const { handshake } = row
  return {
    ...family,
    callback: {
      ...callback,
      ...(handshake === undefined
        ? {}
        : { handshake: handshake !== 'off', mustPass: handshake === 'required' }),
      delivery: deliveryOf(row, callback.delivery ?? defaultDelivery),
    },
  }
}

const deliveryOf = (
  { retries, timeout, challengeTimeout, signature }: CallbackChange,
  before: DeliveryPolicy,
): DeliveryPolicy => ({
  retryDelaysMs: retries ?? before.retryDelaysMs,
  timeoutMs: {
    challenge: challengeTimeout ?? before.timeoutMs.challenge,
    delivery: timeout ?? before.timeoutMs.delivery,
  },
  signature: signature ?? before.signature,
})
