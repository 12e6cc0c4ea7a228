import { clean, counted } from '../../command/command.js'
import { shown } from '../../emulator/surface/journal.js'
import type { Registry } from '../../emulator/surface/registry.js'
import { redirectedTarget } from '../service-answer.js'
import { type Change, changeText } from './changes.js'
import { type Compared, type Delta, severityOf } from './compare.js'
import { gapsOf } from './facts.js'
import { type Purse, priceText } from './purse.js'
import type { Outcome } from './session.js'
import type { Step } from './steps.js'

/** Prints lines on standard output. */
export const print = (...lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${clean(line)}\n`).join(''))

/**
 * Lines of one verdict.
 * @param known differences that were listed before, which are only counted
 */
export const outcomeLines = (outcome: Outcome, registry: Registry, known: Set<string>): string[] => {
  if (outcome.verdict === 'not-looked-at') return [`not looked at  ${outcome.says}: ${outcome.reason}`]
  const { exchange, ours, deltas } = outcome.compared
  // A message to a receiver has no status.
  const title = exchange.message === undefined ? `${exchange.says}: ${exchange.answer.status}` : exchange.says
  if (deltas.length === 0) return [`same     ${title}`]
  const [refusal] = ours.refusedBy
  const gaps = gapsOf(ours, registry).map((id) => `docs/gaps.md#${id.toLowerCase()}`)
  const places = refusal === undefined ? gaps : [`${refusal.rule}: ${refusal.place}`]
  const isCreate = registry.operations.some(({ id, makes }) => id === ours.operation && makes !== undefined)
  const taken =
    isCreate && ours.status >= 400 && exchange.answer.status < 300
      ? [`  The service took this call, which may cost money. It answered ${shown(exchange.answer.json)}`]
      : []
  const texts = deltas.map(deltaText)
  const fresh = texts.filter((text) => !isRepeated(text, known))
  const before = texts.length - fresh.length
  return [
    `differs  ${title}`,
    ...fresh.map((text) => `  ${text}`),
    ...(before === 0 ? [] : [`  ${counted(before, 'difference')} as before`]),
    ...(places.length === 0 ? [] : [`  ${places.join(', ')}`]),
    ...taken,
  ]
}

/** Whether a difference of a header was listed; those of bodies and statuses are listed for each answer. */
const isRepeated = (text: string, known: Set<string>): boolean => {
  const isKnown = known.has(text)
  known.add(text)
  return isKnown && text.startsWith('header ')
}

/** A difference, in words. */
export const deltaText = (delta: Delta): string => {
  const says = (ours: unknown, theirs: unknown) =>
    `the emulator says ${valueText(ours)}, the service ${valueText(theirs)}`
  const text = () => {
    switch (delta.kind) {
      case 'status':
        return `HTTP status: ${says(delta.ours, delta.theirs)}`
      case 'missing':
        return `${delta.path || 'body'}: ${says(delta.ours, undefined)}`
      case 'extra':
        return `${delta.path || 'body'}: ${says(undefined, delta.theirs)}`
      case 'renamed':
        return `${delta.path}: the service calls it ${delta.to}`
      case 'moved':
        return `${delta.path}: the service has it at ${delta.to}`
      case 'wrapped':
        return `body: the service has it under ${delta.in}`
      case 'header':
        return `header ${delta.name}: ${says(delta.ours, delta.theirs)}`
      case 'file':
        return `file, ${delta.fact}: ${says(delta.ours, delta.theirs)}`
      case 'message':
        return delta.theirs ? 'message: the emulator sends none' : 'challenge: the service sends none'
      default:
        return `${delta.path || 'body'}: ${says(delta.ours, delta.theirs)}`
    }
  }
  const severity = severityOf(delta)
  return severity === 'error' ? text() : `${text()} (${severity})`
}

const valueText = (value: unknown): string => (value === undefined ? 'nothing' : shown(value))

/** Lines of a plan: what would be asked, and the highest price. */
export const planLines = (steps: readonly Step[], target: string): string[] => {
  const creates = steps.filter(({ price }) => price !== undefined)
  const free = steps.filter(({ price }) => price === undefined)
  const total = creates.reduce((sum, { price = 0 }) => sum + price, 0)
  const unpriced = creates.filter(({ price }) => price === 0).length
  const calls = steps.reduce((sum, step) => sum + step.calls, 0)
  return [
    `What would be asked of ${target}, in at least ${counted(calls, 'call')}:`,
    ...(free.length === 0
      ? []
      : [`  free      ${counted(free.length, 'call')} that the service refuses or that make nothing`]),
    ...creates.map(({ tier, says, price = 0 }) => `  ${tier.padEnd(9)} ${says}: at most ${priceText(price)}`),
    `${counted(creates.length, 'create')}, at most ${priceText(total)} by the price list (setting prices, or a profile).${unpriced > 0 ? ` The list has no price for ${unpriced} of them.` : ''}`,
    ...(free.length === 0
      ? []
      : [
          'A call that the service takes although it must refuse it can cost more: --budget and --most-creates hold for those too.',
        ]),
    'Nothing was sent.',
  ]
}

/** Differences by severity, each kind of one once. */
const countsOf = (compared: readonly Compared[]) => {
  const found = compared.flatMap(({ deltas }) => deltas.map(severityOf))
  const count = (severity: string) => found.filter((one) => one === severity).length
  return { error: count('error'), warning: count('warning'), information: count('information') }
}

/** How many answers agree, and how much the others differ. */
const agreementText = (compared: number, differing: readonly Compared[]): string => {
  if (compared === 0) return 'No answer was compared.'
  if (differing.length === 0) return `All ${compared} answers agree.`
  const { error, warning, information } = countsOf(differing)
  const verb = differing.length === 1 ? 'differs' : 'differ'
  return `${differing.length} of ${counted(compared, 'answer')} ${verb}: ${counted(error, 'error')}, ${counted(warning, 'warning')}, ${information} for information.`
}

/** Last lines of a run. */
export const summaryLines = (outcomes: readonly Outcome[], { spent, creates }: Purse): string[] => {
  const compared = outcomes.flatMap((one) => (one.verdict === 'not-looked-at' ? [] : [one.compared]))
  const differing = compared.filter(({ deltas }) => deltas.length > 0)
  const skipped = outcomes.length - compared.length
  return [
    agreementText(compared.length, differing),
    ...(skipped === 0
      ? []
      : [`${counted(skipped, 'thing')} ${skipped === 1 ? 'was' : 'were'} not looked at.`]),
    ...(creates === 0
      ? []
      : [`${counted(creates, 'create')}, at most ${priceText(spent)} by the price list.`]),
  ]
}

/** Lines of what a profile says, and of what none can say. */
export const conclusionLines = (changes: readonly Change[], left: readonly Compared[]): string[] => {
  const open = left.filter(({ deltas }) => deltas.length > 0)
  return [
    ...(changes.length === 0
      ? []
      : ['A profile can say:', ...changes.map((change) => `  ${changeText(change)}`)]),
    ...(open.length === 0 ? [] : ['No profile can say:']),
    ...open.flatMap(({ exchange, deltas }) =>
      deltas.map((delta) => `  ${exchange.says}: ${deltaText(delta)}`),
    ),
  ]
}

/** What the answers say of the target as a whole, or undefined where they say nothing. */
export const adviceOn = (target: string, outcomes: readonly Outcome[]): string | undefined => {
  const exchanges = outcomes.flatMap((one) =>
    one.verdict === 'not-looked-at' ? [] : [one.compared.exchange],
  )
  for (const { path, answer } of exchanges) {
    const moved = redirectedTarget(target, path, answer)
    if (moved !== undefined) return `The service redirects calls to ${moved}: name it as --target.`
  }
  if (outcomes.some(({ verdict }) => verdict === 'same')) return undefined
  // A gateway may refuse calls without the user's own key by itself.
  const answered = exchanges.filter(({ key = 'own' }) => key === 'own').map(({ answer }) => answer.status)
  const statuses = new Set([...answered, ...outcomes.flatMap(gatewayStatus)])
  return statuses.size === 1
    ? `Every call with the key was answered with ${[...statuses]}: the target may not be the service, or the path of --target may be wrong.`
    : undefined
}

/** The status with which a gateway answered instead of the service; a limit of calls says nothing of the target. */
const gatewayStatus = (outcome: Outcome): number[] =>
  outcome.verdict === 'not-looked-at' && outcome.status !== undefined && outcome.status !== 429
    ? [outcome.status]
    : []
