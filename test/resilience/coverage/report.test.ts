import { describe, expect, test } from 'vitest'
import { createObserver } from '../../../src/resilience/coverage/observe.js'
import { pointsOf, usedFamilies } from '../../../src/resilience/coverage/points.js'
import {
  mergeReports,
  readThresholds,
  reportOf,
  shortfalls,
} from '../../../src/resilience/coverage/report.js'
import { createHitCounter, type Hits, usualPoints } from '../../../src/resilience/coverage/spec.js'

import { items, order, startCovered, TASKS } from './covered.js'

const { covered } = await startCovered()

describe('a report', () => {
  test('counts the points of families that were called, and no others', async () => {
    const hits = await covered(({ ask }) => ask('POST', TASKS, order))
    expect(usedFamilies(usualPoints(), hits).map(({ id }) => id)).toEqual(['b-video-task'])
    const points = pointsOf(usualPoints(), usedFamilies(usualPoints(), hits), hits)
    expect(points.some(({ item }) => item.startsWith('f-video-v2'))).toBe(false)
    const { kinds, families, uncovered } = reportOf(hits, [])
    expect(families.unused).toContain('f-video-v2')
    expect(kinds.operations).toEqual({ covered: 1, total: 5, percent: 20 })
    expect(uncovered.find(({ item }) => item === 'b-video-task/expired')).toMatchObject({
      missing: 'No test sees a task of b-video-task expired.',
      remedy: expect.stringContaining("clock.advance('48h')"),
    })
  })

  test('rounds shares down, and has none where there is nothing to cover', () => {
    const { add, hits } = createHitCounter()
    add('operations', 'b-video-task.create')
    expect(reportOf(hits, []).kinds.scenarios).toEqual({ covered: 0, total: 0, percent: null })
    for (const [step, count] of [1, 1, 0].entries()) add('scenarios', `mine#${step + 1}`, count)
    expect(reportOf(hits, []).kinds.scenarios).toEqual({ covered: 2, total: 3, percent: 66.6 })
  })

  test('falls short below a least share, and not at it', () => {
    const { add, hits } = createHitCounter()
    const short = (text: string) => shortfalls(reportOf(hits, []), readThresholds([text]))
    expect(short('operations=0')).toEqual(['operations: nothing was called, and --min wants 0 %.'])
    add('operations', 'b-video-task.create')
    expect(short('operations=20,scenarios=100')).toEqual([])
    expect(short('operations=20.1')).toEqual([
      'operations: 20 % are covered (1 of 5), and --min wants 20.1 %.',
    ])
  })

  test('a least share is compared with the exact one, of which the report has tenths', () => {
    const { add, hits } = createHitCounter()
    add('operations', 'b-video-task.create')
    for (const [step, count] of [1, 1, 0].entries()) add('scenarios', `mine#${step + 1}`, count)
    const short = (text: string) => shortfalls(reportOf(hits, []), readThresholds([text]))
    expect(short('scenarios=66.66')).toEqual([])
    expect(short('scenarios=66.67')).toEqual([
      'scenarios: 66.6 % are covered (2 of 3), and --min wants 66.67 %.',
    ])
  })

  test('that several parts have of a test is their sum', () => {
    const part = (count: number) => {
      const { add, hits } = createHitCounter()
      add('operations', 'b-video-task.create', count)
      return { hits, tests: [{ file: 'a.test.ts', test: 'orders', hits }] }
    }
    const { tests, hits } = mergeReports([part(1), part(2)])
    expect(tests.map((one) => one.hits.operations)).toEqual([{ 'b-video-task.create': 3 }])
    expect(hits.operations).toEqual({ 'b-video-task.create': 3 })
  })

  test('a limit is met by its refusal', async () => {
    const limits = (hits: Hits) =>
      reportOf(hits, [])
        .uncovered.filter(({ kind }) => kind === 'limits')
        .map(({ item }) => item)
    const within = await covered(({ ask }) => ask('POST', TASKS, order))
    expect(limits(within)).toContain('b-video-task.tasks-in-flight')
    const beyond = await covered(async ({ ask, change }) => {
      await change({ limits: { tasksInFlight: 1 } })
      await ask('POST', TASKS, order)
      await ask('POST', TASKS, order)
    })
    expect(limits(beyond)).not.toContain('b-video-task.tasks-in-flight')
  })

  test('answers that no specification gives have their grade, the least sure first', async () => {
    const hits = await covered(async ({ ask, clock, hook }) => {
      await ask('POST', TASKS, { ...order, callback_url: hook })
      await clock.advance('10m')
    })
    const { relied } = reportOf(hits, [])
    expect(relied.map(({ gap, grade }) => [gap, grade])).toEqual([
      ['N5', 'assumed'],
      ['B1', 'seen'],
      ['B17', 'seen'],
    ])
  })

  test('a refusal relies on the gaps of its rule', async () => {
    const hits = await covered(async ({ ask, change }) => {
      await change({ limits: { requestsPerMinute: 0 } })
      await ask('POST', TASKS, order)
    })
    expect(items(hits, 'gaps')).toEqual(['B8', 'X6'])
  })

  test('an answer of a scenario relies on no gap', async () => {
    const hits = await covered(async ({ ask, fail, scenario }) => {
      await fail('b-video-task.read', { error: 'ServerOverloaded' })
      await ask('GET', `${TASKS}/none`)
      const when = { operation: 'b-video-task.list' } as const
      const steps = [{ when, then: { answer: { status: 200, body: {} } } }]
      await scenario.play({ name: 'empty', description: 'A list is answered by the scenario.', steps })
      await ask('GET', TASKS)
    })
    expect(items(hits, 'gaps')).toEqual([])
  })

  test('what closes a gap closes it when it is done in its order', async () => {
    const gap = pointsOf(usualPoints(), usualPoints().families, createObserver().hits).find(
      ({ item }) => item === 'b-video-task/running>expired',
    )
    expect(gap?.remedy.split('; ')).toEqual([
      "await emulator.scenario.play('runs-for-ever') before the create",
      'ask while it runs',
      "then await emulator.clock.advance('48h'), and ask again",
    ])
    const hits = await covered(async ({ ask, scenario, clock }) => {
      await scenario.play('runs-for-ever')
      const { id } = await ask('POST', TASKS, order)
      await ask('GET', `${TASKS}/${id}`)
      await clock.advance('48h')
      await ask('GET', `${TASKS}/${id}`)
    })
    expect(items(hits, 'transitions')).toContain('b-video-task/running>expired')
  })

  test('every point has its own name', () => {
    const points = pointsOf(usualPoints(), usualPoints().families, createObserver().hits)
    const names = points.map(({ kind, item }) => `${kind} ${item}`)
    expect(new Set(names).size).toBe(names.length)
    for (const { missing, remedy } of points) expect([missing, remedy]).not.toContain('')
  })
})
