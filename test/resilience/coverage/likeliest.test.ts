import { expect, test } from 'vitest'
import { terminalText } from '../../../src/resilience/coverage/render.js'
import { reportOf } from '../../../src/resilience/coverage/report.js'
import { type AddHit, createHitCounter } from '../../../src/resilience/coverage/spec.js'
import { order, startCovered, TASKS } from './covered.js'

/** The likeliest gaps of tests that have covered some items, as `kind item`. */
const likeliest = (...covered: readonly Readonly<Parameters<AddHit>>[]) => {
  const { add, hits } = createHitCounter()
  for (const hit of covered) add(...hit)
  return reportOf(hits, []).likeliest.map(({ kind, item }) => `${kind} ${item}`)
}

test('of a client that creates and queries are a failed task, refusals, and no callback', () => {
  expect(likeliest(['operations', 'b-video-task.create'], ['operations', 'b-video-task.read'])).toEqual([
    'statuses b-video-task/failed',
    'errors b-video-task/RateLimitExceeded.EndpointRPMExceeded',
    'errors b-video-task/InternalServiceError',
    'rules b-video-task.prompt-passes-moderation:broken',
    'rules b-video-task.balance-is-positive:broken',
    'rules b-video-task.credentials:broken',
    'statuses b-video-task/expired',
    'rules b-video-task.task-exists:broken',
  ])
})

test('are those of the operations that are called: none of statuses without a query, none of results without a download', () => {
  const created = likeliest(['operations', 'b-video-task.create'])
  expect(created.filter((gap) => /^(statuses|results|callbacks)/.test(gap))).toEqual([])
  const used = likeliest(['operations', 'b-video-task.create'], ['operations', 'results.download'])
  expect(used).toContain('results expired')
  const hooked = likeliest(['operations', 'b-video-task.create'], ['callbacks', 'b-video-task/queued'])
  expect(hooked).toEqual(
    expect.arrayContaining([
      'statuses b-video-task/failed',
      'callbacks b-video-task/duplicate',
      'callbacks b-video-task/late',
    ]),
  )
})

test('an error whose status the tests have seen in its family is none of them, and one of another family is', () => {
  const create = ['operations', 'b-video-task.create'] as const
  const second = ['operations', 'f-video-v2.create'] as const
  expect(likeliest(create)).toContain('errors b-video-task/RateLimitExceeded.EndpointRPMExceeded')
  const seen = likeliest(create, second, ['errors', 'b-video-task/ServerOverloaded'])
  expect(seen.filter((gap) => gap.startsWith('errors b-video-task'))).toEqual([
    'errors b-video-task/InternalServiceError',
  ])
  expect(seen).toContain('errors f-video-v2/rate_limit_error')
})

test('are ten at most', () => {
  const families = ['b-video-task', 'c-video', 'e-video-reference', 'f-video-v2']
  const calls = families.flatMap((family) => [
    ['operations', `${family}.create`] as const,
    ['operations', `${family}.read`] as const,
  ])
  expect(likeliest(...calls)).toHaveLength(10)
  expect(likeliest(...calls).slice(0, 4)).toEqual(families.map((family) => `statuses ${family}/failed`))
})

test('come first in the report, and are no more once they are covered', async () => {
  const { covered } = await startCovered()
  const firstOf = async (fails: boolean) => {
    const hits = await covered(async ({ ask, tasks }) => {
      const { id } = await ask('POST', TASKS, order)
      if (fails) await tasks.fail(id)
      await ask('GET', `${TASKS}/${id}`)
    })
    return terminalText(reportOf(hits, [])).split('\n').slice(2, 5)
  }
  expect(await firstOf(false)).toEqual([
    'Likeliest to happen to what the tests call, and not covered:',
    '',
    '    No test sees a task of b-video-task failed.',
  ])
  expect((await firstOf(true))[2]).toBe(
    '    No test sees the error RateLimitExceeded.EndpointRPMExceeded of b-video-task.',
  )
})
