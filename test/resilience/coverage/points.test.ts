import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { createHandles } from '../../../src/emulator/client/handles.js'
import { localTransport } from '../../../src/emulator/client/local-transport.js'
import { allRules } from '../../../src/emulator/control/rules.js'
import { textAt } from '../../../src/emulator/core/request.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { createObserver } from '../../../src/resilience/coverage/observe.js'
import { isCovered, type Point, pointsOf } from '../../../src/resilience/coverage/points.js'
import { createHitCounter, usualPoints } from '../../../src/resilience/coverage/spec.js'
import { samplesOf } from '../../contract/samples.js'
import { clientOf, startOnPort } from '../../emulator.js'

const { operations } = builtIn

const { emulator, url } = await startOnPort()

/** The shortest sample request of a family, with which its tasks are made. */
const sampleOf = (familyId: string): object =>
  samplesOf(familyId)
    .map(({ body }) => body as object)
    .reduce((short, body) => (JSON.stringify(body).length < JSON.stringify(short).length ? body : short))

const operationNamed = (id: string) => operations.find((operation) => operation.id === id)

const picture = () => readFile(new URL('../../../fixtures/media/square.png', import.meta.url))

/** Client of an account of its own that does what a remedy says. */
const followerOf = (key: string, familyId: string) => {
  const handles = createHandles(key, localTransport(emulator, key), url)
  const { ask, upload } = clientOf(url, key)
  let id = ''
  const create = async (more: object = {}): Promise<void> => {
    if (familyId === 'd-assets') {
      id = textAt((await upload('square.png', await picture())).body, ['data', 'task_id']) ?? ''
      return
    }
    const operation = operationNamed(`${familyId}.create`)
    const { body } = await ask('POST', operation?.route.path ?? '', { ...sampleOf(familyId), ...more })
    id = textAt(body, operation?.idAt?.split('.') ?? []) ?? ''
  }
  /** Makes the call of an operation that is about what was created. */
  const call = async (operationId: string) => {
    const route = operationNamed(operationId)?.route
    const query = operationId === 'd-assets.resolve' ? `?task_id=${id}` : ''
    if (route !== undefined) await ask(route.method, route.path.replace(/\{\w+\}/, id) + query)
  }
  const read = () => call(`${familyId}.read`)
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => unknown
  /** Runs a line of code. */
  const run = async (code: string): Promise<void> => {
    await new AsyncFunction('emulator', 'id', code)(handles, id)
  }
  const runUntilRunning = async (): Promise<void> => {
    for (let nth = 0; nth < 3; nth += 1)
      if ((await handles.tasks.get(id)).status !== 'running') await handles.clock.advance({ to: 'next' })
  }
  /** Does a part of a remedy, one that comes after the create. */
  const follow = async (part: string): Promise<void> => {
    if (part.startsWith('ask while it runs') || part.endsWith('until it runs')) await runUntilRunning()
    else if (part.startsWith('await')) await run(part.replace(AFTERWARDS, ''))
  }
  return { handles, create, call, read, run, follow }
}

// What is to be done once its code has run.
const AFTERWARDS = /, and (ask again|create twice)$/

/** Does what the remedy of a point says, and resolves with whether that has covered it. */
const isClosedByRemedy = async (point: Point): Promise<boolean> => {
  const { kind, item, remedy } = point
  const key = `${kind}-${item}`.replace(/\W+/g, '-')
  const { handles, create, call, read, run, follow } = followerOf(key, item.split(/[/.]/)[0] ?? '')
  const parts = remedy.split('; ').map((part) => part.replace(/^then /, ''))
  const before = parts.filter((part) => part.endsWith(' before the create'))
  for (const part of before) await run(part.replace(' before the create', ''))
  const address = remedy.includes('callback_url') || kind === 'callbacks'
  // What is to be done before any call.
  const isFirst = /emulator\.(change|fail|scenario)/.test(remedy) && before.length === 0
  if (isFirst) await run(remedy.replace(AFTERWARDS, ''))
  await create(address ? { callback_url: handles.inbox('hook').url } : {})
  if (remedy.endsWith('twice')) await create()
  const failing = /emulator\.fail\('([^']+)'/.exec(remedy)?.[1]
  if (failing !== undefined && operationNamed(failing)?.makes === undefined) await call(failing)
  for (const part of isFirst ? [] : parts.filter((part) => !before.includes(part))) {
    await follow(part)
    if (/\bask\b/.test(part)) await read()
  }
  if (kind === 'callbacks') await handles.clock.advance('3h')
  const observer = createObserver()
  for (const entry of emulator.journals.journalOf(key).list().reverse()) observer.call(entry)
  const callbacks = await emulator.store.read(key, (account) => [...account.callbacks.log.values()])
  callbacks.forEach(observer.callback)
  return isCovered(observer.hits, point)
}

/** Counts of a client that has sent every field, and covered nothing. */
const everyField = () => {
  const counter = createHitCounter()
  for (const { id, field } of usualPoints().operations.flatMap(({ rules }) => rules))
    if (field !== undefined) counter.add('rules', `${id}:kept`, 0)
  return counter
}
const allPoints = pointsOf(usualPoints(), usualPoints().families, everyField().hits)
const pointsOfKind = (kind: Point['kind']) => allPoints.filter((point) => point.kind === kind)

// What no line of code says: which body is too large, how much room there is, what a receiver answers.
const isInWords = ({ kind, item, remedy }: Point): boolean =>
  kind === 'rules'
    ? !remedy.startsWith('await') || item.startsWith('results.')
    : /^(send a call|start the emulator)/.test(remedy) || item.endsWith('/refused')

describe('a remedy covers its point', () => {
  test.each(['rules', 'errors', 'statuses', 'transitions', 'callbacks', 'limits'] as const)(
    'of %s',
    async (kind) => {
      const points = pointsOfKind(kind).filter((point) => !isInWords(point))
      expect(points).not.toEqual([])
      const open = []
      for (const point of points)
        if (!(await isClosedByRemedy(point))) open.push(`${point.item}: ${point.remedy}`)
      expect(open).toEqual([])
    },
  )
})

describe('points of all families', () => {
  const items = (kind: Point['kind']) => pointsOfKind(kind).map(({ item }) => item)

  test('are the transitions that a client can see', () => {
    const all = ['queued>running', 'running>succeeded', 'running>failed']
    expect(items('transitions').sort()).toEqual(
      [
        ...[...all, 'queued>cancelled', 'running>expired'].map((name) => `b-video-task/${name}`),
        ...[...all, 'running>expired'].map((name) => `c-video/${name}`),
        ...[...all, 'pending>queued'].map((name) => `e-video-reference/${name}`),
        ...[...all, 'queued>cancelled'].map((name) => `f-video-v2/${name}`),
      ].sort(),
    )
  })

  test('are the messages that receivers get', () => {
    const all = ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'duplicate', 'late', 'refused']
    expect(items('callbacks').sort()).toEqual(
      [
        ...[...all, 'expired'].map((name) => `b-video-task/${name}`),
        ...[...all, 'challenge'].map((name) => `f-video-v2/${name}`),
      ].sort(),
    )
  })

  test('are what becomes of results, and none of that where no family is used', () => {
    expect(items('results')).toEqual(['fetched', 'expired', 'range', 'head'])
    expect(pointsOf(usualPoints(), [], createHitCounter().hits)).toEqual([])
  })

  test('are the limits of the service that a client can meet, and no bound of the emulator', () => {
    expect(items('limits').filter((item) => item.startsWith('d-assets'))).toEqual([
      'd-assets.rate-limit',
      'd-assets.body-size',
    ])
    expect(items('limits')).toContain('a-image.images-within-quota')
    expect(items('limits')).toContain('f-video-v2.tasks-in-flight')
    expect(items('limits')).not.toContain('f-video-v2.room-for-task')
  })

  test('are rules about fields only where a call has had the field', () => {
    const { add, hits } = createHitCounter()
    const found = (name: string) =>
      pointsOf(usualPoints(), usualPoints().families, hits).filter(({ item }) => item.includes(name)).length
    expect(found('b-video-task.schema.ratio:')).toBe(0)
    expect(found('b-video-task.high-resolution:')).toBe(2)
    add('rules', 'b-video-task.schema.ratio:kept', 0)
    expect(found('b-video-task.schema.ratio:')).toBe(2)
    // One that is required, and that no call has.
    add('rules', 'b-video-task.schema.model:broken')
    expect(found('b-video-task.schema.model:')).toBe(2)
  })

  test('of errors name an operation that can answer with them', () => {
    const failing = pointsOfKind('errors').flatMap(({ remedy }) => {
      const [, operation = '', error = ''] =
        /^await emulator\.fail\('(.+)', \{ error: '(.+)' \}\)$/.exec(remedy) ?? []
      return operation === '' ? [] : [{ operation, error }]
    })
    const wrong = failing.filter(
      ({ operation, error }) => !operationNamed(operation)?.possibleErrors.includes(error),
    )
    expect(wrong).toEqual([])
    expect(failing).toEqual(
      expect.arrayContaining([
        { operation: 'b-video-task.create', error: 'ServerOverloaded' },
        { operation: 'b-video-task.cancel', error: 'InvalidAction.RunningTaskDeletion' },
        { operation: 'c-video.read', error: 'task_not_exist' },
        { operation: 'd-assets.resolve', error: 'TaskNotFound' },
      ]),
    )
  })

  test('have the two sides of each rule, once, with the sentence of the rule', () => {
    const rule = (item: string) => pointsOfKind('rules').find((point) => point.item === item)
    // Without those that the emulator alone has.
    const isOwn = /^emulator\.|\.(room-for-\w+|body-can-be-kept|assets-(most|bytes)|strict)$/
    const sides = allRules(builtIn).flatMap(({ id }) =>
      isOwn.test(id) ? [] : [`${id}:kept`, `${id}:broken`],
    )
    expect(items('rules').sort()).toEqual(sides.sort())
    expect(rule('b-video-task.balance-is-positive:broken')).toMatchObject({
      missing: expect.stringMatching(
        /^No call of b-video-task.create breaks the rule b-video-task.balance-is/,
      ),
      remedy: 'await emulator.change({ balance: 0 })',
    })
    expect(rule('b-video-task.balance-is-positive:kept')?.remedy).toMatch(/^see docs/)
    expect(rule('b-video-task.schema.ratio:kept')).toMatchObject({
      missing: 'No call of b-video-task.create has a good `ratio` (b-video-task.schema.ratio).',
      remedy: expect.stringMatching(/^send `ratio`: /),
    })
    expect(rule('b-video-task.schema.ratio:broken')?.remedy).toMatch(/^send a call that does; see /)
  })

  test('have the steps of what plays, by their number', () => {
    const { add, hits } = createHitCounter()
    add('scenarios', 'callback-lost#2', 0)
    expect(pointsOf(usualPoints(), usualPoints().families, hits).at(-1)).toMatchObject({
      missing: 'Step 2 of the scenario callback-lost never acts.',
    })
  })
})
