import type { AnyAction } from '../action.js'
import { listFixtures, listGaps, listRules, readDoctor, readHealth } from './about.js'
import { changeAccount, readAccount } from './account.js'
import { listCallbacks, readCallback, redeliverCallback } from './callbacks.js'
import { advanceClock, changeClock, readClockAction } from './clock.js'
import { finish } from './finish.js'
import { readInbox } from './inbox.js'
import { readLooseEnds } from './loose-ends.js'
import { readMetrics } from './metrics.js'
import { readOpenApi } from './openapi.js'
import { readRecording } from './recording.js'
import { listRequests, readRequest } from './requests.js'
import { reset } from './reset.js'
import { playScenario, readScenario, stopScenario } from './scenario.js'
import { restoreSnapshot, takeSnapshot } from './snapshots.js'
import { readState, writeState } from './state.js'
import { forceTask, listTasks, readTask } from './tasks.js'
import { readTimeline } from './timeline.js'
import { wait } from './wait.js'

/** Everything that can be done to a running emulator, by name. */
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
  'inbox.read': readInbox,
  'scenario.read': readScenario,
  'scenario.play': playScenario,
  'scenario.stop': stopScenario,
  'account.read': readAccount,
  'account.change': changeAccount,
  'timeline.read': readTimeline,
  'loose-ends.read': readLooseEnds,
  wait,
  finish,
  reset,
  'snapshots.take': takeSnapshot,
  'snapshots.restore': restoreSnapshot,
  'state.read': readState,
  'state.write': writeState,
  'gaps.list': listGaps,
  'rules.list': listRules,
  'fixtures.list': listFixtures,
} satisfies Record<string, AnyAction>

export type Actions = typeof actions
