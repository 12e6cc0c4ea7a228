import type { AnyAction } from '../action.js'
import { listFixtures, listGaps, listRules, readHealth } from './about.js'
import { changeAccount, readAccount } from './account.js'
import { advanceClock, changeClock, readClockAction } from './clock.js'
import { listRequests, readRequest } from './requests.js'
import { reset } from './reset.js'
import { forceTask, listTasks, readTask } from './tasks.js'
import { wait } from './wait.js'

/** Everything that can be done to a running emulator, by name. */
export const actions = {
  'health.read': readHealth,
  'clock.read': readClockAction,
  'clock.change': changeClock,
  'clock.advance': advanceClock,
  'requests.list': listRequests,
  'requests.read': readRequest,
  'tasks.list': listTasks,
  'tasks.read': readTask,
  'tasks.force': forceTask,
  'account.read': readAccount,
  'account.change': changeAccount,
  wait,
  reset,
  'gaps.list': listGaps,
  'rules.list': listRules,
  'fixtures.list': listFixtures,
} satisfies Record<string, AnyAction>

export type Actions = typeof actions
