import { assetOfJob, assetPhaseAt } from '../core/asset.js'
import type { Decision, Operation } from '../core/contract.js'
import type { Account } from '../core/model/account.js'
import type { Reply } from '../core/model/call.js'
import { type Task, viewAt } from '../core/model/task.js'
import { type Instant, MINUTE, SECOND } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import { type AnswerSubject, type ChangedReply, UNKNOWN_PATH } from './answers.js'
import { mergedHeaders } from './headers.js'
import type { LoadedProfile } from './load.js'
import type { Profile } from './schema.js'

type RateHeaders = NonNullable<NonNullable<Profile['rateLimits']>['headers']>

/** The profile of a running emulator: what of it is not a matter of a family. It is replaced when its files change. */
export class ProfileInForce {
  #loaded: LoadedProfile
  /** Raised each time that it is replaced. */
  #revision = 0

  constructor(loaded: LoadedProfile) {
    this.#loaded = loaded
  }

  get loaded(): LoadedProfile {
    return this.#loaded
  }

  get revision(): number {
    return this.#revision
  }

  replace(loaded: LoadedProfile): void {
    this.#loaded = loaded
    this.#revision += 1
  }

  /** Settings with the limits with which accounts open; what a setting says goes before the profile. */
  settingsFor(settings: Settings): Settings {
    const { requestsPerMinute = null, tasksInFlight = null } = this.#loaded.merged.profile.rateLimits ?? {}
    return {
      ...settings,
      requestsPerMinute: settings.requestsPerMinute ?? requestsPerMinute,
      tasksInFlight: settings.tasksInFlight ?? tasksInFlight,
    }
  }

  /** What the rows under `answers` select a decided answer by, or undefined where there are no rows. */
  subjectOf(
    operation: Operation | undefined,
    decision: Decision,
    account: Readonly<Account>,
    now: Instant,
  ): AnswerSubject | undefined {
    if (this.#loaded.answers === undefined) return undefined
    const operations = [operation?.id ?? UNKNOWN_PATH]
    if (decision.reply.status < 400) return { operations, states: statesOf(decision, account, now) }
    return { operations, error: decision.meta.refusedBy[0]?.error ?? '' }
  }

  /** The reply of a decision as it goes out, or undefined where the profile does not change it. */
  change(reply: Reply, subject: AnswerSubject | undefined): ChangedReply | undefined {
    return subject === undefined ? undefined : this.#loaded.answers?.apply(reply, subject)
  }

  /** Body and headers of a callback as it goes out: it carries the answer of a query, as the profile changes both. */
  changeCallback(
    { family }: Pick<Task, 'family'>,
    state: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ): { readonly body: unknown; readonly headers: Readonly<Record<string, string>> } {
    const subject = { operations: [`${family}.read`, `${family}.callback`], states: [state] }
    const changed = this.change({ status: 200, headers, body }, subject)?.reply
    return { body: changed === undefined ? body : changed.body, headers: changed?.headers ?? headers }
  }

  /** The reply of a create or an upload with the headers that announce its limit. */
  withRateHeaders(
    operation: Operation | undefined,
    { reply, changes }: Decision,
    account: Readonly<Account>,
    now: Instant,
  ): Reply {
    const headers = this.#loaded.merged.profile.rateLimits?.headers
    const max = account.limits.requestsPerMinute
    if (headers === undefined || max === null || operation?.checkRateLimit === undefined) return reply
    const isAccepted = changes.some((change) => 'acceptCreate' in change)
    const announced = rateHeaders(headers, max, isAccepted, account, now)
    return { ...reply, headers: mergedHeaders(announced, reply.headers ?? {}) }
  }
}

const rateHeaders = (
  headers: RateHeaders,
  limit: number,
  isAccepted: boolean,
  { recentCreates }: Readonly<Account>,
  now: Instant,
): Record<string, string> => {
  const recent = recentCreates.filter((at) => at > now - MINUTE && at <= now)
  if (isAccepted) recent.push(now)
  const resetAt = (recent[0] ?? now) + MINUTE
  const facts = {
    limit,
    remaining: Math.max(0, limit - recent.length),
    reset: Math.ceil(resetAt / SECOND),
    resetSeconds: Math.ceil((resetAt - now) / SECOND),
  }
  return Object.fromEntries(Object.entries(headers).map(([name, fact]) => [name, String(facts[fact])]))
}

/** States of the jobs of assets as keys under `answers` name them, by their words. */
export const assetWords = { Processing: 'pending', Active: 'succeeded', Failed: 'failed' } as const

/** The state of what an answer is about: a new task as it begins, any other as it is now. */
const statesOf = ({ changes, meta }: Decision, account: Readonly<Account>, now: Instant): string[] => {
  const put = changes.find((change) => 'putTask' in change)?.putTask
  const task = put ?? account.tasks.get(meta.task ?? '')
  if (task !== undefined) {
    const isNew = changes.some((change) => 'acceptCreate' in change)
    return [isNew ? (task.timeline[0]?.value.state ?? '') : viewAt(task, now).phase.state]
  }
  const asset =
    changes.find((change) => 'putAsset' in change)?.putAsset ?? assetOfJob(account, meta.task ?? '')
  return asset === undefined ? [] : [assetWords[assetPhaseAt(asset, now).state]]
}
