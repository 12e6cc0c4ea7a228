import type { RequestListener } from 'node:http'
import { createSendChallenge } from '../callbacks/challenge.js'
import type { Task } from '../core/model/task.js'
import { LONGEST_TIMER_MS } from '../core/schedule/time.js'
import { createMetrics, type Metrics } from '../observability/metrics.js'
import { createDryRun, type DryRun } from '../service/dry-run.js'
import { createDelays, type Delays } from '../service/effects/transmit.js'
import type { CallUnderWay } from '../service/exchange.js'
import { createSendResult, type SendResult } from '../service/files.js'
import { createInFlightCalls, type InFlightCalls } from '../service/in-flight.js'
import { createLargeBodyReader, type LargeBodyReader } from '../service/large-body/reader.js'
import { createService } from '../service/pipeline.js'
import { createFindRoute } from '../service/routes.js'
import type { SetTimer } from '../timers.js'
import type { Accounts } from './accounts.js'
import type { Base } from './base.js'
import type { CallbackParts } from './callbacks.js'
import type { MediaParts } from './media.js'

/** The service on the wire, and what else answers from its parts. */
export interface ServiceComposition {
  readonly service: RequestListener
  readonly dryRun: DryRun
  readonly metrics: Metrics
  readonly delays: Delays
  readonly sendResult: SendResult
  readonly largeBodies: LargeBodyReader
  readonly inFlight: InFlightCalls
}

/** @param ownHost host and port of the emulator, or undefined where it does not listen yet */
export const composeService = (
  base: Base,
  { store, journals, scenarios, accountQuotas }: Accounts,
  { httpClient, clock, callbacks }: CallbackParts,
  { renderer, fixtures, resolveMedia, uploads }: MediaParts,
  setTimer: SetTimer | undefined,
  ownHost: () => string | undefined,
): ServiceComposition => {
  const { settings, registry, profile, secret, systemNow, startedAt, events, quotas, health } = base
  const { onInternalError } = base
  const delays = createDelays(setTimer)
  const sendResult = createSendResult({ renderer, health, onInternalError })
  const largeBodies = createLargeBodyReader(registry.mediaKeys, health)
  const findRoute = createFindRoute(registry, secret)
  const inFlight = new Set<CallUnderWay>()
  const decisionParts = {
    settings,
    secret,
    systemNow,
    store,
    clock,
    accountQuotas,
    findRoute,
    resolveMedia,
    deadlineOf: (task: Task) => registry.deadlineOf(task),
    profile,
    scenarioNamed: scenarios.named,
    health,
    onInternalError,
  }
  const service = createService({
    ...decisionParts,
    journals,
    uploads,
    largeBodies,
    quotas,
    sendResult,
    delays,
    inFlight,
    callbacksDrained: callbacks.idle,
    sendChallenge: createSendChallenge({
      httpClient,
      scaled: (ms) => Math.min(ms * settings.callbackTimeoutScale, LONGEST_TIMER_MS),
      systemNow,
    }),
    events,
  })
  return {
    service,
    dryRun: createDryRun({ ...decisionParts, fixtures, ownHost }),
    metrics: createMetrics({ events, store, renderer, quotas, systemNow, startedAt }),
    delays,
    sendResult,
    largeBodies,
    inFlight: createInFlightCalls(inFlight, findRoute),
  }
}
