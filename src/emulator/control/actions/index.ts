import type { AnyAction } from '../action.js'
import { accountActions } from './account.js'
import { callbackActions } from './callbacks.js'
import { clockActions } from './clock.js'
import { eventActions } from './events.js'
import { operationActions } from './operations.js'
import { profileActions } from './profile.js'
import { requestActions } from './requests.js'
import { resultActions } from './results.js'
import { scenarioActions } from './scenarios.js'
import { systemActions } from './system.js'
import { taskActions } from './tasks.js'
import { testEndActions } from './test-end.js'
import { waitActions } from './wait.js'

/** Table of control actions by name, which recordings, the client and the OpenAPI document use. */
export const actions = {
  ...systemActions,
  ...clockActions,
  ...requestActions,
  ...taskActions,
  ...callbackActions,
  ...resultActions,
  ...operationActions,
  ...profileActions,
  ...scenarioActions,
  ...eventActions,
  ...accountActions,
  ...testEndActions,
  ...waitActions,
} satisfies Record<string, AnyAction>

export type ActionName = keyof typeof actions
