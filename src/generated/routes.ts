import type { ActionName } from '../client/handles.js'

/**
 * Where the control API does each action. Written down again, so that whoever talks to an emulator elsewhere does not
 * load one; a test compares it with the actions themselves.
 */
export const routes: Readonly<
  Record<ActionName, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`>
> = {
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
  'snapshots.restore': 'POST /snapshots/:id/restore',
}
