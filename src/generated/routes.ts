// Written by `npm run generate` from src/control/actions. Change those.
import type { ActionTypes } from './action-types.js'

type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** The route of each control action, for clients that do not load an emulator. */
export const routes: Readonly<Record<keyof ActionTypes, Route>> = {
  'health.read': 'GET /health',
  'doctor.read': 'GET /doctor',
  'metrics.read': 'GET /metrics',
  'openapi.read': 'GET /openapi.json',
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
  'inbox.read': 'GET /inbox/:name',
  'scenario.read': 'GET /scenario',
  'scenario.play': 'PUT /scenario',
  'scenario.stop': 'DELETE /scenario',
  'account.read': 'GET /account',
  'account.change': 'PATCH /account',
  'timeline.read': 'GET /timeline',
  'loose-ends.read': 'GET /loose-ends',
  wait: 'GET /wait',
  finish: 'POST /finish',
  reset: 'POST /reset',
  'snapshots.take': 'POST /snapshots',
  'snapshots.list': 'GET /snapshots',
  'snapshots.restore': 'POST /snapshots/:id/restore',
  'state.read': 'GET /state',
  'state.write': 'PUT /state',
  'gaps.list': 'GET /gaps',
  'rules.list': 'GET /rules',
  'fixtures.list': 'GET /fixtures',
}
