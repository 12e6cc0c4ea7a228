import { expect, test } from 'vitest'
import { bodies, openInProcess, paths } from '../emulator.js'

const { agent } = openInProcess()

test.each([
  ['a preflight of a result', () => agent.options('/results/x'), 204],
  ['a preflight of the service', () => agent.options('/v1/videos'), 404],
  ['a preflight of the control API', () => agent.options('/_backlot/clock'), 404],
  ['an unknown path', () => agent.get('/nothing'), 404],
  ['a method that a path does not have', () => agent.put('/v1/videos'), 404],
  ['a path of results that is none', () => agent.get('/results/nothing'), 404],
  ['a result of an unknown account', () => agent.get('/results/0123456789ab/x/0.png'), 403],
  ['the control API', () => agent.get('/_backlot/health'), 200],
  ['an unknown path of the control API', () => agent.get('/_backlot/nothing'), 404],
  ['a fixture', () => agent.get('/_backlot/fixtures/first-frame.png'), 200],
  [
    'a page under a foreign name',
    () => agent.get('/').set({ Host: 'evil.example', Origin: 'http://x' }),
    403,
  ],
])('%s has a request id (gap X3)', async (_, ask, status) => {
  const answer = await ask()
  expect(answer.status).toBe(status)
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

test('calls beside the service do not change the ids of an account', async () => {
  const idAfter = async (asked: readonly string[]) => {
    const { as: fresh } = openInProcess()
    for (const path of asked) await fresh('k').get(path)
    return (await fresh('k').post(paths.image, bodies.image())).headers['x-request-id']
  }
  const first = await idAfter([])
  expect(await idAfter(['/_backlot/clock', '/_backlot/nothing', '/_backlot/requests'])).toBe(first)
  expect(await idAfter([paths.tasks])).not.toBe(first)
})
