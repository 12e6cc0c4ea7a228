import { describe, expect, test } from 'vitest'
import { ledgerOf } from '../../../src/resilience/sweep/ledger.js'
import type { CallSighting, Sighting } from '../../../src/resilience/sweep/sighting.js'
import { call, callback, download, made, read, whole } from './sightings.js'

/** Entries of a run by kind, without accounts. */
const entries = (run: readonly Sighting[], baseline: readonly Sighting[] = whole(), hasPassed = true) =>
  Object.fromEntries(ledgerOf(run, baseline, hasPassed).map(({ kind, accounts: _, ...rest }) => [kind, rest]))

/** How often an entry of a kind is found. */
const count = (kind: string, run: readonly Sighting[], baseline?: readonly Sighting[], hasPassed = true) =>
  entries(run, baseline, hasPassed)[kind]?.count ?? 0

describe('examples of a fault', () => {
  const create = { prompt: 'A boat', idempotencyKey: 'k' }
  const test1 = { kind: 'test', account: 'a', at: 0, file: 'orders.test.ts', test: 'orders once' } as const

  test('name the operation, the task without its scope, the prompt and the test', () => {
    const run = [test1, ...made('scope/cgt-1', 'queued', create), ...whole('scope/cgt-2', create)]
    expect(entries(run)['paid-twice']?.examples).toEqual([
      'b-video-task.create cgt-1 "A boat", in the test "orders once"',
      'b-video-task.create cgt-2 "A boat", in the test "orders once"',
    ])
  })

  test('have no control characters, which a terminal would obey', () => {
    const run = [...made('1', 'queued', { prompt: 'a\u001b[31m\u009bb\u007f' }), ...whole('2')]
    expect(entries(run)['paid-twice']?.examples?.[0]).toBe(
      'b-video-task.create 1 "a\\u001b[31m\ufffdb\ufffd"',
    )
  })

  test('quote the prompt of the task that a call is about', () => {
    const run = [...whole('1', create), read('1')]
    expect(entries(run)['polled-on']?.examples).toEqual(['b-video-task.read 1 "A boat"'])
  })

  test('are three at most, each once, with the beginning of a long prompt', () => {
    const orders = ['1', '2', '3', '4'].flatMap((task) =>
      made(task, 'queued', { request: task, prompt: 'x'.repeat(70) }),
    )
    const baseline = ['1', '2', '3', '4'].flatMap((task) => whole(task, { request: task }))
    const { count, examples } = entries(orders, baseline).abandoned ?? {}
    expect(count).toBe(4)
    expect(examples).toEqual(['1', '2', '3'].map((id) => `b-video-task.create ${id} "${'x'.repeat(60)}"`))
  })

  test('of what is no fault there are none', () => {
    const run = [...whole(), call('b-video-task.list', { status: 500 }), call('b-video-task.list')]
    expect(entries(run)).toEqual({ retried: { count: 1 } })
  })
})

test('the baseline compared with itself has no entries', () => expect(entries(whole())).toEqual({}))

describe('paid-twice', () => {
  test('a second task of the same order', () =>
    expect(entries([...made('0', 'queued'), ...whole()])).toMatchObject({
      'paid-twice': { count: 1, price: 0.5 },
    }))

  test('each further one counts', () =>
    expect(entries([...made('0', 'succeeded'), ...made('2', 'running'), ...whole()])).toMatchObject({
      'paid-twice': { count: 2, price: 1 },
    }))

  test.each(['failed', 'cancelled', 'expired'] as const)(
    'not when the first one %s: it costs nothing',
    (state) => expect(count('paid-twice', [...made('0', state), ...whole()])).toBe(0),
  )

  test('not when the baseline makes as many', () => {
    const twice = [...whole('1'), ...whole('2')]
    expect(count('paid-twice', twice, twice)).toBe(0)
  })

  test('a task of the baseline that cost nothing does not count', () => {
    const baseline = [...made('0', 'failed'), ...whole()]
    expect(count('paid-twice', [...made('0', 'queued'), ...whole()], baseline)).toBe(1)
  })

  test('counts where the tests fail too', () =>
    expect(count('paid-twice', [...made('0', 'queued'), ...whole()], whole(), false)).toBe(1))

  test('names the account', () =>
    expect(ledgerOf([...made('0', 'queued'), ...whole()], whole(), true)).toMatchObject([
      { kind: 'paid-twice', accounts: ['a'] },
    ]))

  test('not for another order', () =>
    expect(count('paid-twice', [...whole('2', { request: 'car' }), ...whole()])).toBe(0))

  test('not for the same order of another account', () =>
    expect(
      count(
        'paid-twice',
        [...whole('2', { account: 'b' }), ...whole()],
        [...whole('2', { account: 'b' }), ...whole()],
      ),
    ).toBe(0))

  test('orders that differ from run to run are compared within the run', () => {
    const repeated = [...made('0', 'queued', { request: 'x' }), ...whole('1', { request: 'x' })]
    expect(count('paid-twice', repeated, whole('1', { request: 'y' }))).toBe(1)
    expect(count('paid-twice', whole('1', { request: 'x' }), whole('1', { request: 'y' }))).toBe(0)
  })

  test('says that both creates carried one Idempotency-Key', () => {
    const same = [...made('0', 'queued', { idempotencyKey: 'k' }), ...whole('1', { idempotencyKey: 'k' })]
    const other = [...made('0', 'queued', { idempotencyKey: 'j' }), ...whole('1', { idempotencyKey: 'k' })]
    expect(entries(same)['paid-twice']).toHaveProperty('sameIdempotencyKey', true)
    expect(entries(other)['paid-twice']).not.toHaveProperty('sameIdempotencyKey')
  })
})

describe('lost', () => {
  test('succeeded and never fetched', () =>
    expect(count('lost', [...made('1', 'succeeded'), read('1', { final: true })])).toBe(1))

  test('a download that was refused is no fetch', () =>
    expect(count('lost', [...made('1', 'succeeded'), download('1', { status: 403 })])).toBe(1))

  test('a download that the scenario has refused is no fetch', () => {
    const acted = { step: 1, effects: ['result.expired'] }
    expect(count('lost', [...made('1', 'succeeded'), download('1', { status: 403, acted })])).toBe(1)
  })

  test.each(['reset', 'no-answer'] as const)(
    'a download that never arrived is no fetch: %s',
    (connection) => {
      expect(count('lost', [...made('1', 'succeeded'), download('1', { connection })])).toBe(1)
      expect(count('lost', [...whole(), download('1', { connection })])).toBe(0)
    },
  )

  describe('where the file is fetched by the id of its task', () => {
    const content = (facts: object = {}) => call('c-video.content', { task: '1', ...facts })
    const baseline = [...made('1', 'succeeded'), content()]

    test('a result that is not fetched is lost', () => {
      expect(count('lost', made('1', 'succeeded'), baseline)).toBe(1)
      expect(count('lost', [...made('1', 'succeeded'), content({ status: 403 })], baseline)).toBe(1)
      expect(entries(baseline, baseline)).toEqual({})
    })

    test('a file that was cut is kept', () => {
      const cut = [...made('1', 'succeeded'), content({ connection: 'cut-off' })]
      expect(entries(cut, baseline)).toEqual({
        'kept-damaged-file': { count: 1, examples: ['c-video.content 1'] },
      })
    })
  })

  test('HEAD is no fetch', () =>
    expect(count('lost', [...made('1', 'succeeded'), download('1', { method: 'HEAD' })])).toBe(1))

  test('not when the baseline fetches nothing either', () =>
    expect(count('lost', made('1', 'succeeded'), made('1', 'succeeded'))).toBe(0))

  test('not when another task of the order was fetched', () =>
    expect(count('lost', [...made('0', 'succeeded'), ...whole()])).toBe(0))

  test.each(['task.withoutUrl', 'task.vanishes'])('not when the scenario keeps it back by %s', (effect) => {
    const acted = { step: 1, effects: [effect] }
    expect(count('lost', made('1', 'succeeded', { acted }))).toBe(0)
  })

  test.each([401, 403])('not when the scenario has locked the account out with %i', (status) => {
    const refused = read('1', { status, acted: { step: 1, effects: ['answer.error'] } })
    expect(count('lost', [...made('1', 'succeeded'), refused])).toBe(0)
  })

  test('a key that is refused without a scenario locks no account out', () =>
    expect(count('lost', [...made('1', 'succeeded'), read('1', { status: 401 })])).toBe(1))

  test('orders that differ from run to run are compared as those of one order', () => {
    const run = [...made('1', 'succeeded', { request: 'x' }), read('1', { final: true })]
    expect(count('lost', run, whole('1', { request: 'y' }))).toBe(1)
  })

  test('not when what is missing is the result of a task that failed', () => {
    const run = [...whole('1'), ...made('2', 'failed')]
    expect(count('lost', run, [...whole('1'), ...whole('2')])).toBe(0)
  })

  test('not when the task failed', () => expect(count('lost', made('1', 'failed'))).toBe(0))

  test('a result that was fetched twice makes up for no other', () => {
    const boat = made('1', 'succeeded')
    const car = (task: string) => whole(task, { request: 'car' })
    expect(count('lost', [...boat, ...car('2'), ...car('3')], [...whole(), ...car('2')])).toBe(1)
  })
})

describe('abandoned', () => {
  test.each(['pending', 'queued', 'running'] as const)('left unfinished: %s', (state) =>
    expect(count('abandoned', made('1', state))).toBe(1),
  )

  test('not when the baseline leaves it too', () =>
    expect(count('abandoned', made('1', 'running'), made('1', 'queued'))).toBe(0))

  test('not when it was cancelled', () => expect(count('abandoned', made('1', 'cancelled'))).toBe(0))

  test('not when a further one was never made', () =>
    expect(count('abandoned', whole('1'), [...whole('1'), ...whole('2')])).toBe(0))

  test('not when another task of the order came to its end: that is paid twice', () =>
    expect(entries([...made('0', 'queued'), ...whole()])).not.toHaveProperty('abandoned'))

  test('not when the scenario has locked the account out', () => {
    const refused = (status: number) => read('1', { status, acted: { step: 1, effects: ['answer.error'] } })
    expect(count('abandoned', [...made('1', 'running'), refused(401)])).toBe(0)
    expect(count('abandoned', [...made('1', 'running'), refused(500)])).toBe(1)
    expect(count('abandoned', [...made('1', 'running'), refused(401), read('1')])).toBe(1)
  })

  test('not when the scenario never ends it', () => {
    const acted = { step: 1, effects: ['task.runningFor'] }
    expect(count('abandoned', made('1', 'running', { acted }))).toBe(0)
    expect(count('abandoned', made('1', 'queued', { acted }))).toBe(1)
  })

  test.each([
    ['e-video-reference.create', 0],
    ['f-video-v2.create', 1],
  ])(
    'of a task that waits for ever, made by %s: %i, since a client may be able to cancel it',
    (operation, found) => {
      const acted = { step: 1, effects: ['task.queuedFor'] }
      expect(count('abandoned', made('1', 'queued', { acted, operation }))).toBe(found)
    },
  )
})

describe('a create whose answer was lost', () => {
  const lostCreate = (operation: string) =>
    made('1', 'succeeded', {
      operation,
      connection: 'reset',
      acted: { step: 1, effects: ['transport.reset'] },
    })
  const sound = (operation: string) => [
    ...made('1', 'succeeded', { operation }),
    read('1', { final: true }),
    download('1'),
  ]

  test('loses its result where there is a list to find it in', () =>
    expect(count('lost', lostCreate('b-video-task.create'), sound('b-video-task.create'))).toBe(1))

  test.each(['c-video.create', 'e-video-reference.create', 'f-video-v2.create'])(
    'loses nothing with %s, which has no list',
    (operation) => expect(count('lost', lostCreate(operation), sound(operation))).toBe(0),
  )
})

describe('kept-other-file', () => {
  const base = [...made('1', 'succeeded'), read('1', { final: true })]
  const other = download('1', { acted: { step: 1, effects: ['result.seconds'] } })

  test('a valid file that was not ordered, and green tests', () => {
    expect(count('kept-other-file', [...base, other])).toBe(1)
    expect(count('kept-damaged-file', [...base, other])).toBe(0)
  })

  test('not when the tests failed, nor when the right file was fetched', () => {
    expect(count('kept-other-file', [...base, other], whole(), false)).toBe(0)
    expect(count('kept-other-file', [...base, other, download('1')])).toBe(0)
  })
})

describe('kept-damaged-file', () => {
  const base = [...made('1', 'succeeded'), read('1', { final: true })]
  const damaged = (effect: string) => download('1', { acted: { step: 1, effects: [effect] } })
  const corrupt = damaged('result.corrupt')

  test.each([
    ['corrupt', corrupt],
    ['cut', download('1', { connection: 'cut-off' })],
    ['shortened', damaged('result.cutAt')],
    ['wrongly measured', damaged('result.lengthOffBy')],
    ['foreign', damaged('result.bytesOf')],
  ])('a %s file, and green tests', (_, file) => expect(count('kept-damaged-file', [...base, file])).toBe(1))

  test('not when the tests failed', () =>
    expect(count('kept-damaged-file', [...base, corrupt], whole(), false)).toBe(0))

  test('not when it was fetched again', () =>
    expect(count('kept-damaged-file', [...base, corrupt, download('1')])).toBe(0))

  test('another file that is whole takes the place of none', () => {
    const others = [...base, ...whole('2', { request: 'car' })]
    const run = [...base, corrupt, ...whole('2', { request: 'car' })]
    expect(count('kept-damaged-file', run, [...whole(), ...others])).toBe(1)
  })

  test('fetched again, and that never arrived', () =>
    expect(count('kept-damaged-file', [...base, corrupt, download('1', { connection: 'reset' })])).toBe(1))

  test('fetched again and damaged again', () =>
    expect(count('kept-damaged-file', [...base, download('1'), corrupt])).toBe(1))

  test('another header is no damage', () =>
    expect(
      count('kept-damaged-file', [
        ...base,
        download('1', { acted: { step: 1, effects: ['result.contentType'] } }),
      ]),
    ).toBe(0))
})

describe('did-not-wait', () => {
  const refused = call('b-video-task.create', { request: 'boat', status: 429, retryAfterMs: 2_000 })
  const again = (ms: number) => [refused, ...made('1', 'succeeded', at(ms)), download('1')]
  const at = (ms: number) => ({ at: refused.at + ms, wall: refused.wall + ms })

  test('a call before Retry-After was over', () => expect(count('did-not-wait', again(1_900))).toBe(1))
  test('not at its end', () => expect(count('did-not-wait', again(2_000))).toBe(0))
  test('not when the clock of the account was moved beyond it', () => {
    const waited = made('1', 'succeeded', { at: refused.at + 2_000, wall: refused.wall + 1 })
    expect(count('did-not-wait', [refused, ...waited])).toBe(0)
  })
  test('not when the client has waited in real time, though the clock of the account stood', () => {
    const waited = made('1', 'succeeded', { at: refused.at, wall: refused.wall + 2_000 })
    expect(count('did-not-wait', [refused, ...waited])).toBe(0)
  })
  test('not when a timer has ended a little early', () => expect(count('did-not-wait', again(1_985))).toBe(0))
  test('not for another call', () =>
    expect(count('did-not-wait', [refused, ...made('1', 'succeeded', { ...at(1), request: 'car' })])).toBe(0))
  test('not when the baseline does so too', () => expect(count('did-not-wait', again(1), again(1))).toBe(0))
})

describe('hammered', () => {
  const polls = (number: number, everyMs: number) =>
    Array.from({ length: number }, (_, index) => read('1', { ms: index * everyMs }))

  test('far more calls in the same time', () =>
    expect(count('hammered', polls(100, 10), polls(3, 500))).toBe(97))
  test('not ten times as many', () => expect(count('hammered', polls(100, 10), polls(10, 100))).toBe(0))
  test('fifty more calls are many, forty-nine are few', () => {
    expect(count('hammered', polls(51, 10), polls(1, 1))).toBe(50)
    expect(count('hammered', polls(50, 10), polls(1, 1))).toBe(0)
  })
  test('not when it took as much longer', () =>
    expect(count('hammered', polls(100, 1_000), polls(3, 1_000))).toBe(0))
  test.each(['at', 'wall'] as const)('not when it took as much longer on one of the clocks: %s', (clock) => {
    const on = (calls: readonly CallSighting[]) => calls.map((one) => ({ ...read('1'), [clock]: one[clock] }))
    expect(count('hammered', on(polls(100, 1_000)), on(polls(3, 1_000)))).toBe(0)
  })
  test('not when it took less time: as many calls may come at once', () =>
    expect(count('hammered', polls(60, 10), polls(10, 10_000))).toBe(0))
  test('not when a short baseline asked as often', () =>
    expect(count('hammered', polls(100, 5), polls(4, 5))).toBe(0))
  test('a run of less than a tenth of a second takes no longer than a baseline of one call', () =>
    expect(count('hammered', polls(90, 1), polls(1, 1))).toBe(89))
  test('calls of each operation are counted by themselves', () => {
    const list = Array.from({ length: 100 }, (_, index) => call('b-video-task.list', { ms: index }))
    expect(count('hammered', [...list, ...polls(60, 10)], [...list, ...polls(1, 1)])).toBe(59)
  })
})

describe('polled-on', () => {
  const over = [...made('1', 'succeeded'), read('1', { final: true })]

  test('a query after the final status', () =>
    expect(count('polled-on', [...over, read('1', { final: true }), download('1')])).toBe(1))
  test('a query after the file was fetched', () =>
    expect(count('polled-on', [...over, download('1'), read('1')])).toBe(1))
  test('not of another task', () =>
    expect(count('polled-on', [...over, read('2', { final: true }), download('1')])).toBe(0))
  test('not after a status that was not final', () =>
    expect(
      count('polled-on', [...made('1', 'succeeded'), read('1'), read('1', { final: true }), download('1')]),
    ).toBe(0))
  test('not after a download that failed: the URL may be asked for again', () =>
    expect(
      count('polled-on', [
        ...over,
        download('1', { status: 403 }),
        read('1', { final: true }),
        download('1'),
      ]),
    ).toBe(0))
  test('not after a download of a damaged file', () => {
    const damaged = download('1', { acted: { step: 1, effects: ['result.corrupt'] } })
    expect(count('polled-on', [...over, damaged, read('1', { final: true }), download('1')])).toBe(0)
  })
  test('each one counts', () => {
    const polls = [read('1', { final: true }), read('1', { final: true })]
    expect(count('polled-on', [...over, ...polls, download('1')])).toBe(2)
  })
  test('one that failed counts, and its repetition does not', () => {
    const polls = [read('1', { status: 502 }), read('1', { final: true })]
    expect(count('polled-on', [...over, ...polls, download('1')])).toBe(1)
    expect(count('polled-on', [...over, ...polls, read('1'), download('1')])).toBe(2)
  })
  test('not when the baseline does so too', () => {
    const twice = [...over, read('1', { final: true }), download('1')]
    expect(count('polled-on', twice, twice)).toBe(0)
  })
})

describe('refused-callbacks', () => {
  test('a refused one', () =>
    expect(count('refused-callbacks', [...whole(), callback({ isRefused: true })])).toBe(1))
  test('not an accepted one', () => expect(count('refused-callbacks', [...whole(), callback()])).toBe(0))
  test.each(['callback.brokenBody', 'callback.challenge'])(
    'not one that the scenario has broken by %s',
    (effect) => {
      const broken = callback({ isRefused: true, acted: { step: 1, effects: [effect] } })
      expect(count('refused-callbacks', [...whole(), broken])).toBe(0)
    },
  )
  test('not when the baseline refuses it too', () => {
    const refused = [...whole(), callback({ isRefused: true })]
    expect(count('refused-callbacks', refused, refused)).toBe(0)
  })
})

describe('retried', () => {
  const failed = read('1', { status: 502 })
  test('a further call of a failed operation', () =>
    expect(
      count('retried', [...made('1', 'succeeded'), failed, read('1', { final: true }), download('1')]),
    ).toBe(1))
  test('not when there was no further one', () =>
    expect(count('retried', [...made('1', 'running'), failed])).toBe(0))
  test('not after a good answer', () => expect(count('retried', whole())).toBe(0))
  test.each([
    ['400', { status: 400 }],
    ['200 with an error in its place', { acted: { step: 1, effects: ['answer.body'] } }],
  ])('an answer of %s is a failure', (_, facts) =>
    expect(count('retried', [...made('1', 'succeeded'), read('1', facts), read('1')])).toBe(1),
  )
  test.each(['without', 'headers', 'contentType', 'retryAfter'])(
    'an answer of 200 that a step changed by %s alone is none',
    (effect) => {
      const facts = { acted: { step: 1, effects: [`answer.${effect}`] } }
      expect(count('retried', [...made('1', 'succeeded'), read('1', facts), read('1')])).toBe(0)
    },
  )
  test('a lost connection is a failure too', () =>
    expect(count('retried', [...made('1', 'succeeded'), read('1', { connection: 'reset' }), read('1')])).toBe(
      1,
    ))
})

test('keys that are made anew for each run are compared as one account', () => {
  const run = (account: string) => whole('1', { account })
  expect(entries(run('x'), run('y'))).toEqual({})
  expect(count('lost', made('1', 'succeeded', { account: 'x' }), run('y'))).toBe(1)
})
