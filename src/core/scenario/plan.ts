import { type Candidate, oncePerKind, stepsAbout } from './about.js'
import type { MatchInput } from './occasion.js'
import { mismatch } from './reasons.js'
import type { Scenario } from './scenario.js'
import { newSheet, type Sheet, write } from './sheet.js'

/**
 * How the steps about occasions of a kind stand to one model and one account. What they have against these two is the
 * same on every such occasion, and is found out on the first one.
 */
export interface Plan {
  /** Of the steps about such occasions those that want this model and this account, or any. */
  readonly open: readonly Candidate[]
  /** Whether one of them asks for the prompt, which may have to be looked for. */
  readonly asksPrompt: boolean
  readonly sheet: Sheet
}

/** The plan for an occasion; undefined where no step is about such ones. */
export const planFor = (scenario: Scenario, occasion: MatchInput): Plan | undefined => {
  const table = tableFor(scenario, occasion)
  if (table.candidates.length === 0) return undefined
  // All that no step names are as one, so that there are never more plans than the scenario has names for.
  const model = table.models.has(occasion.model) ? occasion.model : undefined
  const account = table.accounts.has(occasion.account) ? occasion.account : undefined
  return table.plans.get(model)?.get(account) ?? added(table, model, account)
}

type Name = string | undefined

interface Table {
  readonly candidates: readonly Candidate[]
  readonly models: ReadonlySet<Name>
  readonly accounts: ReadonlySet<Name>
  /** By model and account. */
  readonly plans: Map<Name, Map<Name, Plan>>
}

const tableFor = oncePerKind((scenario, kind): Table => {
  const candidates = stepsAbout(scenario, kind)
  return {
    candidates,
    models: new Set(candidates.flatMap(({ models = [] }) => models)),
    accounts: new Set(candidates.flatMap(({ accounts = [] }) => accounts)),
    plans: new Map(),
  }
})

const added = ({ candidates, plans }: Table, model: Name, account: Name): Plan => {
  const plan = planned(candidates, model, account)
  const ofModel = plans.get(model) ?? new Map<Name, Plan>()
  plans.set(model, ofModel.set(account, plan))
  return plan
}

const planned = (candidates: readonly Candidate[], model: Name, account: Name): Plan => {
  const sheet = newSheet(candidates.length)
  const open = candidates.filter((candidate) => {
    const reason = mismatch(candidate, model, account)
    if (reason !== undefined) write(sheet, candidate.place, reason)
    return reason === undefined
  })
  const asksPrompt = open.some(({ part, pattern }) => part !== undefined || pattern !== undefined)
  return { open, asksPrompt, sheet }
}
