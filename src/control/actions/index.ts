import type { AnyAction } from '../action.js'
import {
  changeAccount,
  listAccounts,
  listSnapshots,
  readAccount,
  readState,
  reset,
  restoreSnapshot,
  takeSnapshot,
  writeState,
} from './account.js'
import { listBoxes, listCallbacks, readCallback, readInbox, redeliverCallback } from './callbacks.js'
import { advanceClock, changeClock, readClockAction } from './clock.js'
import { readEvents } from './events.js'
import { dryRun, listOperations } from './operations.js'
import { listRequests, readRecording, readRequest } from './requests.js'
import { listResults } from './results.js'
import {
  checkScenario,
  listScenarios,
  playScenario,
  readScenario,
  readScenarioWords,
  stopScenario,
} from './scenarios.js'
import {
  listFixtures,
  listGaps,
  listRules,
  readDoctor,
  readHealth,
  readMetrics,
  readOpenApi,
} from './system.js'
import { forceTask, listTasks, readTask } from './tasks.js'
import { finish, readLooseEnds, readTimeline } from './test-end.js'
import { wait } from './wait.js'

/** Every control action by its name, which recordings, the client and the OpenAPI document use. */
export const actions = {
  'health.read': readHealth,
  'doctor.read': readDoctor,
  'metrics.read': readMetrics,
  'openapi.read': readOpenApi,
  'clock.read': readClockAction,
  'clock.change': changeClock,
  'clock.advance': advanceClock,
  'recording.read': readRecording,
  'requests.list': listRequests,
  'requests.read': readRequest,
  'tasks.list': listTasks,
  'tasks.read': readTask,
  'tasks.force': forceTask,
  'callbacks.list': listCallbacks,
  'callbacks.read': readCallback,
  'callbacks.redeliver': redeliverCallback,
  'inbox.list': listBoxes,
  'inbox.read': readInbox,
  'results.list': listResults,
  'operations.list': listOperations,
  'scenarios.list': listScenarios,
  'scenarios.words': readScenarioWords,
  'scenarios.check': checkScenario,
  'scenario.read': readScenario,
  'scenario.play': playScenario,
  'scenario.stop': stopScenario,
  'events.read': readEvents,
  'dry-run': dryRun,
  'accounts.list': listAccounts,
  'account.read': readAccount,
  'account.change': changeAccount,
  'timeline.read': readTimeline,
  'loose-ends.read': readLooseEnds,
  wait,
  finish,
  reset,
  'snapshots.take': takeSnapshot,
  'snapshots.list': listSnapshots,
  'snapshots.restore': restoreSnapshot,
  'state.read': readState,
  'state.write': writeState,
  'gaps.list': listGaps,
  'rules.list': listRules,
  'fixtures.list': listFixtures,
} satisfies Record<string, AnyAction>

export type Actions = typeof actions
export type ActionName = keyof Actions
