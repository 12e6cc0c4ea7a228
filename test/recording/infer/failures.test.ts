import { describe, expect, test } from 'vitest'
import { builtIn } from '../../../src/emulator/families/index.js'
import { readScenarioDocument } from '../../../src/emulator/scenarios/read.js'
import { stepsOf } from '../../../src/recording/infer/failures.js'
import type { ObservedAnswer, ObservedCall, ObservedSession } from '../../../src/recording/infer/observed.js'

const { operations } = builtIn

describe('steps', () => {
  let clock = 0
  const call = (
    answer: Partial<ObservedAnswer>,
    operation?: string,
    more: Partial<ObservedCall> = {},
  ): ObservedCall => {
    clock += 1_000
    return {
      ...{ at: clock, method: 'GET', path: '/x', answer: { headers: {}, ...answer } },
      ...(operation === undefined ? {} : { operation }),
      ...more,
    }
  }
  const fine = (operation: string) => call({ status: 200 }, operation)

  const session = (calls: readonly ObservedCall[], more: Partial<ObservedSession> = {}): ObservedSession => ({
    ...{ calls, failedTasks: [], lost: [], failedJobs: [], ofOtherCalls: [] },
    ...more,
  })

  /** When and then of each step; all of them can be played. */
  const stepsFor = (observed: ObservedSession) => {
    const { steps } = stepsOf(observed)
    if (steps.length > 0) readScenarioDocument({ name: 'made', says: 'Made.', steps })
    return steps.map(({ when, then }) => [when, then])
  }

  const CREATE = 'b-video-task.create'
  const overloaded = {
    error: { code: 'ServerOverloaded', type: 'TooManyRequests', message: 'Come back later' },
  }

  const elsewhere = { code: 'ServerOverloaded', error: { type: 'TooManyRequests' } }

  test('an answer with a status or a wait that no scenario can have does not spoil the others', () => {
    const observed = session([
      call({ status: 999, text: 'blocked' }, CREATE),
      call({ status: 429.5, text: 'blocked' }, CREATE),
      call({ status: 503, headers: { 'retry-after': '9'.repeat(20) } }, CREATE),
      call({ status: 599, headers: { 'retry-after': '9'.repeat(15) } }, CREATE),
    ])
    expect(stepsFor(observed)).toEqual([
      [{ operation: CREATE, nth: 3 }, { answer: { status: 503, text: '' } }],
      [{ operation: CREATE, nth: 4 }, { answer: { status: 599, retryAfter: 999_999_999_999_999, text: '' } }],
    ])
    expect(stepsOf(observed).omitted).toEqual([
      'GET /x: answered with 999, which is no status of HTTP',
      'GET /x: answered with 429.5, which is no status of HTTP',
    ])
  })

  test('a successful call is no step', () =>
    expect(stepsFor(session([fine(CREATE), fine(CREATE)]))).toEqual([]))

  describe('calls that failed', () => {
    test('count among those of their operation, and have the family’s name for the error', () =>
      expect(
        stepsFor(
          session([fine(CREATE), fine('b-video-task.list'), call({ status: 429, json: overloaded }, CREATE)]),
        ),
      ).toEqual([[{ operation: CREATE, nth: 2 }, { answer: { error: 'ServerOverloaded' } }]]))

    test('say when to come back', () =>
      expect(
        stepsFor(session([call({ status: 429, json: overloaded, headers: { 'retry-after': '7' } }, CREATE)])),
      ).toEqual([[{ operation: CREATE, nth: 1 }, { answer: { error: 'ServerOverloaded', retryAfter: 7 } }]]))

    test.each([
      ['an error of another status', { status: 418, json: overloaded }, { status: 418, body: overloaded }],
      ['JSON of no family', { status: 500, json: { oops: 1 } }, { status: 500, body: { oops: 1 } }],
      [
        'the code of an error where its family does not write it',
        { status: 429, json: elsewhere },
        { status: 429, body: elsewhere },
      ],
      [
        'a page of a proxy',
        { status: 502, text: '<html>', headers: { 'content-type': 'text/html' } },
        { status: 502, contentType: 'text/html', text: '<html>' },
      ],
      [
        'a page without a content type',
        { status: 502, text: 'no', headers: { 'content-type': '' } },
        { status: 502, text: 'no' },
      ],
    ])('%s is answered as it stands', (_, answer, expected) =>
      expect(stepsFor(session([call(answer, CREATE)]))).toEqual([
        [{ operation: CREATE, nth: 1 }, { answer: expected }],
      ]),
    )

    test.each(operations)('$id: an answer with an error of its family is that error', (operation) => {
      const answers = operation.errors.map((error) => {
        const { status, body } = operation.raise(error, {}, 'some-id')
        return call({ status, json: body }, operation.id)
      })
      const found = stepsOf(session(answers)).steps.map(({ then }) => then.answer?.error)
      expect(found).toEqual(operation.errors)
    })

    test('a page that is long is cut', () => {
      const observed = session([call({ status: 502, text: 'x'.repeat(5_000) }, CREATE)])
      expect(stepsFor(observed)).toEqual([
        [{ operation: CREATE, nth: 1 }, { answer: { status: 502, text: 'x'.repeat(4_000) } }],
      ])
    })

    test('an error of its family with another message is the first with its codes', () => {
      const json = { request_id: 'r', code: 'InvalidParameter', message: 'The size is odd.' }
      expect(stepsFor(session([call({ status: 400, json }, 'a-image.create')]))).toEqual([
        [{ operation: 'a-image.create', nth: 1 }, { answer: { error: 'InvalidParameter' } }],
      ])
    })

    test.each([
      ['reset', { reset: true }],
      ['silent', { hang: true }],
      ['cut', { closeAfterBytes: 16 }],
    ] as const)('a connection that was %s', (broken, transport) =>
      expect(stepsFor(session([call({ broken }, CREATE)]))).toEqual([
        [{ operation: CREATE, nth: 1 }, { transport }],
      ]),
    )

    test.each([
      [403, { result: { expired: true } }],
      [404, { result: { missing: true } }],
      [500, { answer: { status: 500, text: 'x' } }],
    ])('a download that was answered with %i', (status, then) =>
      expect(stepsFor(session([call({ status, text: 'x' }, 'results.download')]))).toEqual([
        [{ operation: 'results.download', nth: 1 }, then],
      ]),
    )

    test('of no operation are omitted, and that is said', () =>
      expect(stepsOf(session([call({ status: 404 })]))).toEqual({
        steps: [],
        omitted: ['GET /x: no operation has this route'],
        replaced: [],
      }))
  })

  describe('what failed in the same way is one step', () => {
    const failing = (fails: string) =>
      session(
        [...fails].map((mark) =>
          mark === 'x' ? call({ status: 429, json: overloaded }, CREATE) : fine(CREATE),
        ),
      )

    test.each([
      ['.x', { nth: 2 }],
      ['x.x', { nth: [1, 3] }],
      ['.xx', { nth: [2, 3] }],
      ['xxx', { first: 3 }],
      ['..xxx', { first: 5, after: 2 }],
      ['x.xx', { nth: [1, 3, 4] }],
    ])('%s', (fails, counts) =>
      expect(stepsFor(failing(fails))).toEqual([
        [{ operation: CREATE, ...counts }, { answer: { error: 'ServerOverloaded' } }],
      ]),
    )
  })

  test('what failed in another way is a step of its own', () => {
    const refused = call({ status: 429, json: overloaded }, CREATE)
    const broken = call({ status: 500, json: { oops: 1 } }, CREATE)
    expect(stepsFor(session([refused, broken, { ...refused }]))).toEqual([
      [{ operation: CREATE, nth: [1, 3] }, { answer: { error: 'ServerOverloaded' } }],
      [{ operation: CREATE, nth: 2 }, { answer: { status: 500, body: { oops: 1 } } }],
    ])
  })

  describe('tasks', () => {
    test.each([
      [
        { state: 'failed', error: 'InternalServiceError' },
        { fails: { error: 'InternalServiceError', after: '90s' } },
      ],
      [{ state: 'expired' }, { expires: { after: '90s' } }],
    ] as const)('that %j', (end, task) => {
      const create = fine(CREATE)
      expect(
        stepsFor(session([fine(CREATE), create], { failedTasks: [{ create, afterMs: 90_000, ...end }] })),
      ).toEqual([[{ operation: CREATE, nth: 2 }, { task }]])
    })

    test('whose create was answered with an error are made again, and fail by the same step', () => {
      const create = call({ status: 504, text: 'x' }, CREATE, { task: 'cgt-1' })
      const failing = { create, afterMs: 90_000, state: 'failed', error: 'InternalServiceError' } as const
      const observed = session([create], { failedTasks: [failing, { ...failing, afterMs: 1 }] })
      const then = {
        answer: { status: 504, stillHappens: true, text: 'x' },
        task: { fails: { error: 'InternalServiceError', after: '90s' } },
      }
      expect(stepsFor(observed)).toEqual([[{ operation: CREATE, nth: 1 }, then]])
      expect(stepsOf(observed).steps[0]?.description).toBe(
        `${CREATE}, number 1: answered with 504, and a task that fails with InternalServiceError`,
      )
    })

    test.each([
      [CREATE, 'InternalServiceError'],
      ['e-video-reference.create', 'internal_error'],
      ['f-video-v2.create', 'server_error'],
    ])('of %s without a known error fail with that of its family, and that is said', (operation, error) => {
      const failedTasks = [fine(operation), fine(operation)].map((create) => {
        return { create, afterMs: 1_000, state: 'failed' as const }
      })
      const observed = session(
        failedTasks.map(({ create }) => create),
        { failedTasks },
      )
      const then = { task: { fails: { error, after: '1s' } } }
      expect(stepsFor(observed)).toEqual([[{ operation, nth: [1, 2] }, then]])
      expect(stepsOf(observed)).toMatchObject({
        omitted: [],
        replaced: [
          `A task of ${operation} failed without an error that its family has: in the scenario it fails with ${error}.`,
        ],
      })
    })
  })

  test.each([
    [{ message: 'delivery', status: 'running' }, { callback: { status: 'running' } }],
    [{ message: 'challenge' }, { callback: 'challenge' }],
  ] as const)('a message that was lost: %j', (message, when) =>
    expect(
      stepsFor(session([], { lost: [{ operation: 'f-video-v2.create', nth: 3, at: 1, ...message }] })),
    ).toEqual([[{ operation: 'f-video-v2.create', ...when, nth: 3 }, { callback: { never: true } }]]),
  )

  test('an asset job that failed', () => {
    const upload = fine('d-assets.upload')
    expect(
      stepsFor(session([upload], { failedJobs: [{ upload, code: 'TooSmall', message: 'It is too small' }] })),
    ).toEqual([
      [
        { operation: 'd-assets.upload', nth: 1 },
        { asset: { fails: { code: 'TooSmall', message: 'It is too small' } } },
      ],
    ])
  })

  test('an asset job that failed though its upload was answered with an error', () => {
    const upload = call({ status: 500, text: 'x' }, 'd-assets.upload')
    const observed = session([upload], { failedJobs: [{ upload, code: 'TooSmall', message: 'Too small' }] })
    const then = {
      answer: { status: 500, text: 'x', stillHappens: true },
      asset: { fails: { code: 'TooSmall', message: 'Too small' } },
    }
    expect(stepsFor(observed)).toEqual([[{ operation: 'd-assets.upload', nth: 1 }, then]])
  })

  test('what failed of other calls is omitted, each said once and the first five by their ids', () => {
    const tasks = ['1', '2', '2', '3', '4', '5', '6', '7'].map((id) => `the task ${id}`)
    expect(stepsOf(session([], { ofOtherCalls: tasks }))).toMatchObject({
      steps: [],
      omitted: [
        'what failed of calls that are not in the file: the task 1, the task 2, the task 3, the task 4, the task 5 and 2 more',
      ],
    })
  })

  test('steps come in the order in which things went wrong, each required', () => {
    const first = call({ status: 500, text: '' }, 'b-video-task.list')
    const second = call({ status: 429, json: overloaded }, CREATE)
    const { steps } = stepsOf(session([first, second]))
    expect(steps.map(({ when, required }) => [when?.operation, required])).toEqual([
      ['b-video-task.list', true],
      [CREATE, true],
    ])
  })
})
