import fc from 'fast-check'
import { expect, test } from 'vitest'
import { videoTask } from '../../../../src/emulator/families/b-video-task/index.js'
import {
  at,
  cancel,
  contextWith,
  force,
  later,
  list,
  type Query,
  read,
  type TestContext,
  taskOf,
} from '../context.js'
import { FAST, idOf, make, media, request, STANDARD, type TaskObject } from './requests.js'

const DAY = 86_400_000

interface Page {
  readonly items: readonly TaskObject[]
  readonly total: number
}

const listed = (query: Query, context: TestContext): Page => {
  const { reply } = list(videoTask, query, context)
  expect(reply.status).toBe(200)
  return reply.body as Page
}
const ids = ({ items }: Page) => items.map(({ id }) => id)

/** So many tasks, oldest first. */
const tasksIn = (context: TestContext, count: number, fields = {}): string[] =>
  Array.from({ length: count }, () => idOf(request(fields), context))

test('an account without tasks lists none', () =>
  expect(listed('', contextWith())).toEqual({ items: [], total: 0 }))

test('the items are query objects, newest first', () => {
  const context = contextWith({ resolvedMedia: media })
  const made = tasksIn(context, 3)
  const page = listed('', context)
  expect(ids(page)).toEqual([...made].reverse())
  expect(page.items).toEqual(ids(page).map((id) => read(videoTask, id, context).reply.body))
})

test('a page has 10 tasks unless another size is asked for, and the total counts them all', () => {
  const context = contextWith()
  const made = tasksIn(context, 25).reverse()
  expect(listed('', context)).toMatchObject({ total: 25 })
  expect(ids(listed('', context))).toEqual(made.slice(0, 10))
  expect(ids(listed('page_num=2', context))).toEqual(made.slice(10, 20))
  expect(ids(listed('page_num=3', context))).toEqual(made.slice(20))
  expect(listed('page_num=4', context)).toEqual({ items: [], total: 25 })
  expect(ids(listed('page_num=2&page_size=20', context))).toEqual(made.slice(20))
})

test.each([
  ['page_no=2', ['page_no']],
  ['filter_status=queued&status=queued', ['filter_status', 'status']],
  ['filter.task_ids[]=a&filter.task_ids[]=b', ['filter.task_ids[]']],
  ['page_num=0&toString=1', ['toString']],
  ['page_num=1&page_size=1&filter.status=queued&filter.model=x&filter.task_ids=a', []],
])('the list with %s names in the journal the parameters that it ignores: %j (X11)', (query, ignored) =>
  expect(list(videoTask, query, contextWith()).meta.ignored).toEqual(ignored),
)

test.each([
  ['page_num=1', 200],
  ['page_num=1000000', 200],
  ['page_num=0', 400],
  ['page_num=-1', 400],
  ['page_num=1.5', 400],
  ['page_num=one', 400],
  ['page_num=', 400],
  ['page_num=0x1', 400],
  ['page_num=1e1', 400],
  ['page_num=+1', 400],
  ['page_size=1', 200],
  ['page_size=500', 200],
  ['page_size=0', 400],
  ['page_size=501', 400],
  ['page_size=ten', 400],
  ['page_size=10.5', 400],
  ['filter.status=queued', 200],
  ['filter.status=running', 200],
  ['filter.status=succeeded', 200],
  ['filter.status=failed', 200],
  ['filter.status=cancelled', 200],
  ['filter.status=expired', 200],
  ['filter.status=pending', 400],
  ['filter.status=done', 400],
  ['filter.status=', 400],
])('the query %s is answered with %i', (query, status) => {
  const { reply } = list(videoTask, query, contextWith())
  const [name] = query.split('=')
  expect(reply.status).toBe(status)
  if (status === 400)
    expect(reply.body).toMatchObject({
      error: {
        code: 'InvalidParameter',
        param: name,
        type: 'BadRequest',
        message: expect.stringContaining(`${name} must be `),
      },
    })
})

test.each([
  ['page_num=1&page_num=2', 'page_num must be a whole number from 1, found [1,2]'],
  ['page_size=10&page_size=10', 'page_size must be a whole number from 1 to 500, found [10,10]'],
  ['filter.model=a&filter.model=b', 'filter.model must be a string, found ["a","b"]'],
  ['filter.status=queued&filter.status=running', 'found ["queued","running"]'],
])('a parameter that comes twice is refused: %s (N21)', (query, message) => {
  const { reply } = list(videoTask, query, contextWith())
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({
    error: {
      code: 'InvalidParameter',
      param: query.split('=')[0],
      message: expect.stringContaining(message),
    },
  })
})

test('the first refusal of a query answers, and the journal has all', () => {
  const { reply, meta } = list(videoTask, 'filter.status=done&page_size=501&page_num=0', contextWith())
  expect(reply.body).toMatchObject({ error: { param: 'page_num' } })
  expect(meta.refusedBy.map(({ rule }) => rule)).toEqual(
    ['page_num', 'page_size', 'filter.status'].map((name) => `b-video-task.list.${name}`),
  )
})

test.each(['9007199254740993', '99999999999999999999'])(
  'a page number of too many digits is shown as it was sent: %s',
  (digits) => {
    const { reply } = list(videoTask, `page_num=${digits}`, contextWith())
    expect(reply.status).toBe(400)
    expect(reply.body).toMatchObject({
      error: {
        message: expect.stringContaining(`page_num must be a whole number from 1, found "${digits}"`),
      },
    })
  },
)

test('unknown parameters of a query are ignored, also those that come twice', () => {
  const context = contextWith()
  tasksIn(context, 1)
  expect(listed('sort=asc&filter=x&sort=desc', context).total).toBe(1)
})

test('tasks can be filtered by status, as it is at that instant', () => {
  const context = contextWith({ resolvedMedia: media })
  const [queued = '', failed = '', cancelled = '', expired = ''] = tasksIn(context, 4)
  const task = (id: string) => context.account.tasks.get(id) ?? taskOf(make(request(), context), context)
  force(task(failed), { state: 'failed', error: 'InternalServiceError' }, context)
  force(task(expired), { state: 'expired' }, context)
  cancel(videoTask, cancelled, context)
  const withStatus = (status: string, seen = context) => ids(listed(`filter.status=${status}`, seen))
  expect(withStatus('queued')).toEqual([queued])
  expect(withStatus('failed')).toEqual([failed])
  expect(withStatus('cancelled')).toEqual([cancelled])
  expect(withStatus('expired')).toEqual([expired])
  expect(withStatus('succeeded')).toEqual([])
  expect(withStatus('queued', later(context, 60_000))).toEqual([])
  expect(withStatus('succeeded', later(context, 60_000))).toEqual([queued])
})

test('tasks can be filtered by model', () => {
  const context = contextWith()
  const [standard] = tasksIn(context, 1)
  const [fast] = tasksIn(context, 1, { model: FAST })
  expect(ids(listed(`filter.model=${STANDARD}`, context))).toEqual([standard])
  expect(ids(listed(`filter.model=${FAST}`, context))).toEqual([fast])
  expect(listed('filter.model=another', context).total).toBe(0)
  expect(listed('filter.model=123', context).total).toBe(0)
})

test('tasks can be named, one or several, and unknown ones are not listed', () => {
  const context = contextWith()
  const [one = '', two = '', three = ''] = tasksIn(context, 3)
  expect(ids(listed([['filter.task_ids', two]], context))).toEqual([two])
  expect(
    ids(
      listed(
        [
          ['filter.task_ids', one],
          ['filter.task_ids', three],
          ['filter.task_ids', 'cgt-0'],
        ],
        context,
      ),
    ),
  ).toEqual([three, one])
})

test('the total counts what the filter leaves, on every page', () => {
  const context = contextWith()
  tasksIn(context, 3)
  tasksIn(context, 5, { model: FAST })
  expect(listed(`filter.model=${FAST}&page_size=2&page_num=3`, context)).toMatchObject({
    total: 5,
    items: [{ model: FAST }],
  })
})

test('tasks of more than 7 days are not listed', () => {
  const context = contextWith()
  const [old] = tasksIn(context, 1)
  const [young] = tasksIn(later(context, DAY), 1)
  expect(ids(listed('', later(context, 7 * DAY)))).toEqual([young, old])
  expect(ids(listed('', later(context, 7 * DAY + 1)))).toEqual([young])
})

test('cancelled tasks leave the list after 24 hours', () => {
  const context = contextWith()
  const [id = ''] = tasksIn(context, 1)
  cancel(videoTask, id, context)
  expect(listed('', later(context, DAY - 1)).total).toBe(1)
  expect(listed('', later(context, DAY)).total).toBe(0)
})

test('tasks of another account are not listed', () => {
  tasksIn(contextWith({ key: 'somebody-else' }), 1)
  expect(listed('', contextWith()).total).toBe(0)
})

test('listing changes nothing', () => {
  const context = contextWith()
  tasksIn(context, 2)
  expect(list(videoTask, '', at(context, context.now + 5_000)).changes).toEqual([])
})

test('a query of any shape is answered', () => {
  const context = contextWith()
  tasksIn(context, 3)
  const name = fc.constantFrom('page_num', 'page_size', 'filter.status', 'filter.model', 'filter.task_ids')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(name, fc.string()), fc.string())), (query) => {
      expect([200, 400]).toContain(list(videoTask, query, context).reply.status)
    }),
  )
})
