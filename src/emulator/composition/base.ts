import { EventEmitter } from 'node:events'
import { availableParallelism } from 'node:os'
import type { Persistence } from '../accounts/persistence/port.js'
import type { SharedPersistence } from '../accounts/persistence/shared-log.js'
import { signingSecretOf } from '../accounts/signing-secret.js'
import { generateControlToken } from '../control/guard.js'
import { type DeliveryPolicy, defaultDelivery } from '../core/callback/delivery.js'
import { isStoreError } from '../core/errors.js'
import type { Events } from '../core/events.js'
import { monotonicNow } from '../core/schedule/time.js'
import type { Settings } from '../core/settings.js'
import { builtIn } from '../families/index.js'
import type { Registry } from '../families/registry.js'
import { createHealthIssues, type HealthIssues } from '../observability/health.js'
import { ProfileInForce } from '../profile/in-force.js'
import type { LoadedProfile } from '../profile/load.js'
import { Quotas } from '../quotas.js'
import { VerifiedFacts } from '../verified/facts.js'
import type { EmulatorDependencies } from './dependencies.js'

/** What every part of an emulator stands on: settings, families, time, and what parts report to. */
export interface Base {
  readonly settings: Settings
  readonly registry: Registry
  readonly profile: ProfileInForce | undefined
  readonly verified: VerifiedFacts | undefined
  /** The control token, where one was made because none was given and it listens beyond loopback. */
  readonly madeToken: string | undefined
  /** Signs result URLs. */
  readonly secret: string
  /** Undefined where nothing outlives the process. */
  readonly persistence: Persistence | SharedPersistence | undefined
  readonly systemNow: () => number
  readonly startedAt: number
  readonly events: EventEmitter<Events>
  readonly rendersAtOnce: number
  readonly quotas: Quotas
  readonly health: HealthIssues
  onInternalError(error: unknown): void
}

export const createBase = (
  given: Settings,
  injected: EmulatorDependencies,
  persistence: Persistence | SharedPersistence | undefined,
): Base => {
  const replicas = persistence?.shared
  const madeToken =
    given.controlToken === undefined && replicas !== undefined
      ? replicas.controlToken
      : generateControlToken(given)
  const settings = madeToken === undefined ? given : { ...given, controlToken: madeToken }
  const systemNow = replicas?.now ?? monotonicNow(injected.systemNow ?? Date.now)
  const events = new EventEmitter<Events>()
  events.setMaxListeners(0)
  // One processor stays free, so that other calls need not wait for it.
  const rendersAtOnce = settings.rendersAtOnce ?? Math.max(1, availableParallelism() - 1)
  const health = createHealthIssues(events)
  persistence?.reportTo(health)
  const reportBug = injected.onInternalError ?? ((error) => console.error(error))
  const profile = profileInForce(injected.profile)
  const { facts } = injected
  return {
    settings,
    registry: injected.registry ?? builtIn,
    profile,
    verified:
      facts === undefined
        ? undefined
        : new VerifiedFacts(facts, settings, () => profile?.loaded.merged.profile),
    madeToken,
    secret: persistence?.secret ?? signingSecretOf(settings),
    persistence,
    systemNow,
    startedAt: systemNow(),
    events,
    rendersAtOnce,
    quotas: new Quotas(settings, (hit) => events.emit('quota', hit), { renders: rendersAtOnce }),
    health,
    onInternalError: (error) => {
      // A store that is away is a health issue.
      if (isStoreError(error)) return
      events.emit('bug', error)
      reportBug(error)
    },
  }
}

const profileInForce = (loaded: LoadedProfile | undefined): ProfileInForce | undefined =>
  loaded === undefined ? undefined : new ProfileInForce(loaded)

/** How callbacks of a family are delivered. */
export const policyOf = (registry: Registry, family: string): DeliveryPolicy =>
  registry.taskFamily(family)?.callback?.delivery ?? defaultDelivery
