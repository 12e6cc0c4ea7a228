import {
  type AnyTaskFamily,
  asDecision,
  type Decision,
  type DecisionContext,
  type FamilyDescription,
  noMeta,
  type QuotaExceeded,
  type StatedRule,
} from '../contract.js'
import type { ErrorSpec, Refusal, RefusalDetails, RefusedBy, Reply } from '../model/call.js'
import { mustBe, type ShapeRefusal } from '../request.js'

/** Rules that every family has. `roomForTask` is a quota of the emulator, after all rules of the service. */
// biome-ignore format: one row a line
export const commonRules = {
  rateLimit: { id: 'rate-limit', says: 'The account has accepted fewer creates and uploads in the last 60 seconds than its limit requestsPerMinute.', place: 'docs/gaps.md#x6' },
  fieldsAreKnown: { id: 'strict', says: 'Every field is one of the interface and none is null, where the setting strict is on.', place: 'docs/gaps.md#x11, docs/gaps.md#x13' },
  roomForTask: { id: 'room-for-task', says: 'There is room for one more task (settings tasksPerAccount, tasksInAll and taskBytes), or one that has ended can go.', place: 'docs/operations.md' },
  callbackVerified: { id: 'callback-verified', says: 'The receiver of callbacks returns the challenge, where the profile requires it.', place: 'docs/profiles.md#callbacks' },
  taskCanGo: { id: 'cancelling', says: 'The task is in a state in which it can be cancelled or deleted.', place: 'docs/families/every-family.md#task-states' },
} satisfies Readonly<Record<string, StatedRule>>

/** Rule that a query and a cancellation need a task that is visible. */
export const taskExists = (family: Pick<AnyTaskFamily, 'id' | 'page'>): StatedRule => ({
  id: 'task-exists',
  says: 'The task is one of the account, and can still be seen.',
  place: pageOf(family),
})

/** Page of the documentation of a family. */
export const pageOf = ({ id, page }: Pick<FamilyDescription, 'id' | 'page'>): string =>
  page ?? `docs/families/${id}.md`

/** What a refusal needs of its family. */
interface Refusing {
  readonly errors: Readonly<Record<string, ErrorSpec>>
  // biome-ignore lint/suspicious/noExplicitAny: each family knows its own errors
  readonly respond: { readonly error: (refusal: any, requestId: string, row: ErrorSpec) => unknown }
}

/** Decision that refuses a call and changes nothing: the first refusal answers, and all of them are noted. */
export const refused = (
  family: Refusing,
  refusedBy: readonly RefusedBy[],
  { requestId }: Pick<DecisionContext, 'requestId'>,
  meta: Partial<Decision['meta']> = {},
): Decision =>
  asDecision(refusalReply(family, refusedBy[0] as RefusedBy, requestId), { ...noMeta, ...meta, refusedBy })

/** A family's answer to a refusal, with the status of its table and `Retry-After` where there is a time to wait. */
export const refusalReply = (family: Refusing, refusal: Refusal, requestId: string): Reply => {
  const row = family.errors[refusal.error] as ErrorSpec
  const wait = refusal.retryAfterSeconds
  const { message: _, ...wordless } = refusal
  const shown = row.isOfProfile === true && refusal.field === undefined ? wordless : refusal
  return {
    status: row.status,
    ...(wait === undefined ? {} : { headers: { 'Retry-After': String(wait) } }),
    body: family.respond.error(shown, requestId, row),
  }
}

/** Refusal of a call over a quota; the caller adds the family's name of the error, and of the rule. */
export const quotaRefusal = ({ quota, setting, most, found, says }: QuotaExceeded): RefusalDetails => ({
  found,
  allowed: `at most ${most} (setting ${setting})`,
  message: says,
  retryAfterSeconds: 1,
  bound: quota,
})

/** A body that is too deep or too large to be looked at, by the limit that it must keep to. */
export const jsonLimitRefusal = (family: AnyTaskFamily, limit: string): RefusedBy => ({
  error: family.wellKnownErrors.invalid,
  rule: `${family.id}.schema`,
  place: pageOf(family),
  allowed: limit,
  message: `The request body must be ${limit}`,
})

/** Refusal by the schema, with the name of the family's error for it. */
export const shapeRefusalOf = (family: AnyTaskFamily, { isMissing, ...refusal }: ShapeRefusal): RefusedBy => {
  const { field, found } = refusal
  const error = family.wellKnownErrors[isMissing ? 'missing' : 'invalid']
  return {
    ...(field === 'model' ? modelRefusal(family, error, found) : { ...refusal, error }),
    rule: `${family.id}.schema${field === '' ? '' : `.${field.replace(/\[\d+\]/g, '[]')}`}`,
    place: pageOf(family),
  }
}

/** Refusal of a model, which lists the models of all families on the path. `error`: for what is no name at all. */
const modelRefusal = (family: AnyTaskFamily, error: string, found: unknown): Refusal => {
  const allowed = modelsOf(family)
  if (found === undefined)
    return { error, field: 'model', found, allowed, message: `model is required: ${allowed}` }
  const refusal = mustBe('model', allowed, found)
  if (typeof found !== 'string') return { error, ...refusal }
  const unknown = family.wellKnownErrors['unknown-model']
  const { message, isVerbatim } = family.errors[unknown] as ErrorSpec
  return { error: unknown, ...refusal, message: isVerbatim ? undefined : `${message}: ${refusal.message}` }
}

const modelsOf = ({ models, modelsBeside = [] }: AnyTaskFamily): string => {
  const all = [...models, ...modelsBeside]
  return `${all.length > 1 ? 'one of ' : ''}${all.join(', ')}`
}

/** The error with which a rule answers: another one where a profile says so (`withFacts`). */
export const errorOf = (
  { ruleErrors }: Pick<AnyTaskFamily, 'ruleErrors'>,
  { id }: Pick<StatedRule, 'id'>,
  usual: string,
): string => ruleErrors?.[id] ?? usual

/** A rule of a family as the journal names it. */
export const ruleRef = (
  family: string,
  { id, place }: StatedRule,
): { readonly rule: string; readonly place: string } => ({ rule: `${family}.${id}`, place })
