import type { Served } from '../core/events.js'
import type { Task } from '../core/task/task.js'
import type { Instant } from '../core/time/timeline.js'
import { operations, taskFamilies } from '../families/index.js'
import { mediaKeys } from '../families/media-keys.js'
import { createApplyEffects } from '../server/faults/perform.js'
import { createSendFaultyFile } from '../server/faults/send-harmed.js'
import { createDelays } from '../server/faults/waits.js'
import { createLargeBodyReader } from '../server/http/large-body/reader.js'
import { createRoutes } from '../server/http/routes.js'
import { createService } from '../server/http/service.js'
import { createMetrics } from '../server/metrics/metrics.js'
import { createDownload } from '../server/results/download.js'
import { createSendResult } from '../server/results/send-result.js'
import type { Accounts } from './accounts.js'
import type { Ground } from './ground.js'
import type { Media } from './media.js'
import type { EmulatorDependencies } from './outside.js'

/** What answers calls of the service and downloads of results, and counts them. */
export type Answering = ReturnType<typeof createAnswering>

export const createAnswering = (
  ground: Ground,
  outside: EmulatorDependencies,
  accounts: Accounts,
  media: Media,
) => {
  const { events, bounds, wall, troubles, onInternalError } = ground
  const { store, scenarios, callbacks } = accounts
  const { renderer } = media
  const startedAt = wall()
  const metrics = createMetrics({ events, store, renderer, bounds, wall, startedAt })
  const onServed = (call: Served): void => {
    metrics.served(call)
    if (events.listenerCount('served') > 0) events.emit('served', call)
  }
  const delays = createDelays(outside.setTimer)
  const sendResult = createSendResult({ renderer, onInternalError })
  const applyEffects = createApplyEffects({
    delays,
    sendFaultyFile: createSendFaultyFile({ renderer, sendResult, delays }),
  })
  const largeBodies = createLargeBodyReader(mediaKeys, troubles)
  const parts = {
    ...ground,
    ...accounts,
    ...media,
    sendResult,
    applyEffects,
    onServed,
    scenarioNamed: scenarios.named,
  }
  const service = createService({
    ...parts,
    findRoute: createRoutes(operations),
    largeBodies,
    deadlineOf,
    callbacksDrained: callbacks.idle,
  })
  return { startedAt, metrics, delays, largeBodies, service, download: createDownload(parts) }
}

const deadlineOf = ({ family: id, order, createdAt }: Task): Instant | undefined =>
  taskFamilies.find((family) => family.id === id)?.deadline?.(order, createdAt)
