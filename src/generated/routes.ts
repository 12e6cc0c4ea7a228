// Written by `npm run generate` from src/emulator/control/actions. Change those.
import type { ActionTypes } from './action-types.js'

type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** The route of each control action, for clients that do not load an emulator. */
export const routes: Readonly<Record<keyof ActionTypes, Route>> = {
  'health.read': 'GET /health',
  'doctor.read': 'GET /doctor',
  'metrics.read': 'GET /metrics',
  'openapi.read': 'GET /openapi.json',
  'gaps.list': 'GET /gaps',
  'rules.list': 'GET /rules',
  'fixtures.list': 'GET /fixtures',
  'clock.read': 'GET /clock',
  'clock.change': 'PUT /clock',
  'clock.advance': 'POST /clock/advance',
  'recording.read': 'GET /requests',
  'requests.list': 'GET /requests',
  'requests.read': 'GET /requests/:id',
  'tasks.list': 'GET /tasks',
  'tasks.read': 'GET /tasks/:id',
  'tasks.force': 'PATCH /tasks/:id',
  'callbacks.list': 'GET /callbacks',
  'callbacks.read': 'GET /callbacks/:id',
  'callbacks.redeliver': 'POST /callbacks/:id/redeliver',
  'inbox.list': 'GET /inbox',
  'inbox.read': 'GET /inbox/:name',
  'results.list': 'GET /results',
  'operations.list': 'GET /operations',
  'dry-run': 'POST /dry-run',
  'scenarios.list': 'GET /scenarios',
  'scenarios.words': 'GET /scenarios/words',
  'scenarios.check': 'POST /scenarios/check',
  'scenario.read': 'GET /scenario',
  'scenario.play': 'PUT /scenario',
  'scenario.stop': 'DELETE /scenario',
  'events.read': 'GET /events',
  'accounts.list': 'GET /accounts',
  'account.read': 'GET /account',
  'account.change': 'PATCH /account',
  reset: 'POST /reset',
  'snapshots.take': 'POST /snapshots',
  'snapshots.list': 'GET /snapshots',
  'snapshots.restore': 'POST /snapshots/:id/restore',
  'state.read': 'GET /state',
  'state.write': 'PUT /state',
  'timeline.read': 'GET /timeline',
  'loose-ends.read': 'GET /loose-ends',
  finish: 'POST /finish',
  wait: 'GET /wait',
}

/** The text fields in the query of each action: what was no text looks like one there. */
export const queryTexts: Readonly<Partial<Record<keyof ActionTypes, readonly string[]>>> = {
  'openapi.read': ['part'],
  'recording.read': ['format'],
  'requests.list': ['operation', 'path', 'problem'],
  'tasks.list': ['status', 'family'],
  'callbacks.list': ['taskId', 'kind', 'status', 'state'],
  'results.list': ['task'],
  'events.read': ['after'],
  wait: ['for', 'id', 'timeout', 'operation', 'path', 'problem', 'taskId', 'kind', 'state', 'name'],
}
