import { expect, test } from 'vitest'
import { joinCoverage, readCoverage } from '../../../src/resilience/coverage/join.js'
import { startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

test('routes and errors of a profile are covered or not, in a process that does not know the profile', async () => {
  const folder = newFolder()
  const answer = { body: {} }
  const started = await startOnPort({
    profile: [
      {
        errors: { 'b-video-task': { AccountFrozen: { status: 403, message: 'Frozen' } } },
        answers: { 'b-video-task.read': { rename: { status: 'state' } } },
        routes: [
          { id: 'called', method: 'GET', path: '/called', answer },
          { id: 'forgotten', method: 'GET', path: '/forgotten', answer },
        ],
      },
    ],
  })
  const end = joinCoverage(started.emulator, folder)
  await started.get('/called')
  const id = await started.createB()
  await started.query(id)
  end()
  const { uncovered, hits } = readCoverage(folder)
  const items = uncovered.map(({ kind, item }) => `${kind} ${item}`)
  expect(items).toContain('operations routes.forgotten')
  expect(items).not.toContain('operations routes.called')
  expect(items).toContain('errors b-video-task/AccountFrozen')
  // What was decided counts, whatever the fields are called.
  expect(hits.statuses).toMatchObject({ 'b-video-task/queued': 1 })
})
