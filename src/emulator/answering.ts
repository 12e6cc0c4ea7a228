import type { Served } from '../core/events.js'
import type { Task } from '../core/task/task.js'
import type { Instant } from '../core/time/timeline.js'
import { operations, taskFamilies } from '../families/index.js'
import { mediaKeys } from '../families/media-keys.js'
import { createPerform } from '../server/faults/perform.js'
import { createSendHarmed } from '../server/faults/send-harmed.js'
import { createWaits } from '../server/faults/waits.js'
import { createLargeBodyReader } from '../server/http/large-body/reader.js'
import { createRoutes } from '../server/http/routes.js'
import { createService } from '../server/http/service.js'
import { createMetrics } from '../server/metrics/metrics.js'
import { createDownload } from '../server/results/download.js'
import { createSendResult } from '../server/results/send-result.js'
import type { Accounts } from './accounts.js'
import type { Ground } from './ground.js'
import type { Media } from './media.js'
import type { Outside } from './outside.js'

/** What answers calls of the service and downloads of results, and counts them. */
export type Answering = ReturnType<typeof createAnswering>

export const createAnswering = (ground: Ground, outside: Outside, accounts: Accounts, media: Media) => {
  const { events, bounds, wall, troubles, onBug } = ground
  const { store, scenarios, callbacks } = accounts
  const { studio } = media
  const startedAt = wall()
  const metrics = createMetrics({ events, store, studio, bounds, wall, startedAt })
  const onServed = (call: Served): void => {
    metrics.served(call)
    if (events.listenerCount('served') > 0) events.emit('served', call)
  }
  const waits = createWaits(outside.setTimer)
  const sendResult = createSendResult({ studio, onBug })
  const perform = createPerform({ waits, sendHarmed: createSendHarmed({ studio, sendResult, waits }) })
  const largeBodies = createLargeBodyReader(mediaKeys, troubles)
  const parts = {
    ...ground,
    ...accounts,
    ...media,
    sendResult,
    perform,
    onServed,
    scenarioNamed: scenarios.named,
  }
  const service = createService({
    ...parts,
    findRoute: createRoutes(operations),
    largeBodies,
    deadlineOf,
    callbacksLanded: callbacks.idle,
  })
  return { startedAt, metrics, waits, largeBodies, service, download: createDownload(parts) }
}

const deadlineOf = ({ family: id, order, createdAt }: Task): Instant | undefined =>
  taskFamilies.find((family) => family.id === id)?.deadline?.(order, createdAt)
