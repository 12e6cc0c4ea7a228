import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TaskTable } from '../../../../src/emulator/core/account/task-table.js'
import { type Phase, type Task, viewAt } from '../../../../src/emulator/core/model/task.js'
import { taskWith } from '../task/literals.js'

const models = ['small', 'large']
const VISIBLE_MS = 50
const REACHABLE_MS = 80

const tableWith = (): TaskTable => {
  const table = new TaskTable()
  table.follow(
    () => {},
    ({ createdAt }, { at }) => ({ visibleUntil: createdAt + VISIBLE_MS, reachableUntil: at + REACHABLE_MS }),
  )
  return table
}

const newTask = (id: string, model: string, createdAt: number, end: Phase): Task =>
  taskWith({
    id,
    model,
    createdAt,
    timeline: [
      { at: createdAt, value: { state: 'queued' } },
      { at: createdAt + 5, value: { state: 'running' } },
      { at: createdAt + 10, value: end },
    ],
  })

interface Change {
  readonly kind: 'report' | 'delete' | 'cancel' | 'evict'
  readonly nth: number
}

type Step =
  | { readonly kind: 'create'; readonly model: string; readonly isLucky: boolean }
  | { readonly kind: 'wait'; readonly ms: number }
  | Change

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('create'), model: fc.constantFrom(...models), isLucky: fc.boolean() }),
    fc.record({ kind: fc.constant('wait'), ms: fc.nat(30) }),
    fc.record({ kind: fc.constantFrom('report', 'delete', 'cancel', 'evict'), nth: fc.nat(20) }),
  ) as fc.Arbitrary<Step>,
  { maxLength: 60 },
)

/** What a plain search through everything would find. */
interface Plain {
  task: Task
  isReporting: boolean
}

const change = (table: TaskTable, plain: Plain[], now: number, { kind, nth }: Change): void => {
  const one = plain[nth]
  if (one === undefined) return
  if (kind === 'report') {
    one.isReporting = !one.isReporting
    table.setReporting(one.task.id, one.isReporting)
  } else if (kind === 'cancel') {
    const [queued] = one.task.timeline as [Task['timeline'][0]]
    one.task = { ...one.task, timeline: [queued, { at: now, value: { state: 'cancelled' } }] }
    table.set(one.task, undefined)
  } else {
    table.delete(one.task.id)
    plain.splice(nth, 1)
  }
}

const settle = (table: TaskTable, now: number): void => {
  for (const { id, timeline } of [...table.values()]) {
    const next = timeline.findIndex(({ at }, index) => index > 0 && at > now)
    table.setNext(id, next < 0 ? undefined : next)
  }
}

const hasEnded = ({ task, isReporting }: Plain, now: number): boolean =>
  !isReporting && (task.timeline.at(-1)?.at ?? 0) <= now

const check = (table: TaskTable, plain: readonly Plain[], now: number): void => {
  const newest = plain.toReversed().map(({ task }) => task)
  for (const state of [undefined, 'queued', 'running', 'succeeded', 'failed', 'cancelled'])
    for (const model of [undefined, ...models]) checkPages(table, newest, now, { state, model })
  const ended = plain.filter((one) => hasEnded(one, now))
  const past = ended.find(({ task }) => now > (task.timeline.at(-1)?.at ?? 0) + REACHABLE_MS)
  expect(table.oldestUnreachable(now)).toBe(past?.task)
  expect(table.oldestEnded()).toBe(ended[0]?.task)
  expect([table.size, table.usage.ended]).toEqual([plain.length, ended.length])
  expect([...table.values()]).toEqual(plain.map(({ task }) => task))
}

/** What a list is asked for; undefined: any. */
interface Filter {
  readonly state: string | undefined
  readonly model: string | undefined
}

const isWanted = (filter: Filter, task: { readonly state: string; readonly model: string }): boolean =>
  (filter.model ?? task.model) === task.model && (filter.state ?? task.state) === task.state

const checkPages = (table: TaskTable, newest: readonly Task[], now: number, filter: Filter): void => {
  const wanted = newest.filter(
    (task) =>
      isWanted(filter, { model: task.model, state: viewAt(task, now).phase.state }) &&
      now <= task.createdAt + VISIBLE_MS,
  )
  const pageOf = (offset: number, limit: number) =>
    table.page((facts) => facts.exposure === 'visible' && isWanted(filter, facts), now, offset, limit)
  expect(pageOf(0, 1_000)).toEqual({ items: wanted, total: wanted.length })
  expect(pageOf(2, 2)).toEqual({ items: wanted.slice(2, 4), total: wanted.length })
}

test('a page, a count and the oldest ended task are those that a search through all tasks finds', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const table = tableWith()
      const plain: Plain[] = []
      let now = 0
      let made = 0
      for (const step of given) {
        if (step.kind === 'create') {
          made += 1
          const end: Phase = step.isLucky
            ? { state: 'succeeded', media: [] }
            : { state: 'failed', error: 'unknown' }
          const task = newTask(`task-${made}`, step.model, now, end)
          table.set(task, 1)
          plain.push({ task, isReporting: false })
        } else if (step.kind === 'wait') now += step.ms
        else change(table, plain, now, step)
        settle(table, now)
      }
      check(table, plain, now)
    }),
  )
})

test('the undo log takes back everything, in its place', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { minLength: 1 }), (nths) => {
      const table = tableWith()
      const plain = Array.from({ length: 30 }, (_, index) => ({
        task: newTask(`task-${index}`, models[index % 2] as string, index, { state: 'succeeded', media: [] }),
        isReporting: false,
      }))
      for (const { task } of plain) table.set(task, 1)
      settle(table, 25)
      const undo: (() => void)[] = []
      table.undo = undo
      const changes: readonly ((id: string, index: number) => void)[] = [
        (id) => table.delete(id),
        (_, index) => table.set(newTask(`new-${index}`, 'small', 25, { state: 'cancelled' }), 1),
        (id) => table.setReporting(id, true),
        (id) => {
          const task = table.get(id)
          if (task !== undefined) table.set({ ...task, model: 'other' }, undefined)
        },
      ]
      for (const [index, nth] of nths.entries()) changes[index % changes.length]?.(`task-${nth}`, index)
      table.undo = undefined
      for (const undoOne of undo.reverse()) undoOne()
      check(table, plain, 25)
      settle(table, 60)
      check(table, plain, 60)
      check(table, plain, 100)
    }),
  )
})

test('tasks of two families that share a model are counted apart', () => {
  const table = tableWith()
  const task = newTask('one', 'small', 0, { state: 'cancelled' })
  table.set(task, 1)
  table.set({ ...task, id: 'other', family: 'other' }, 1)
  expect(table.counts().map(({ facts, size }) => [facts.family, size])).toEqual([
    ['toy', 1],
    ['other', 1],
  ])
})

test('the end of what a task that was deleted was shown for changes no count', () => {
  const table = tableWith()
  for (const [id, createdAt] of [
    ['gone', 0],
    ['kept', 40],
  ] as const)
    table.set(newTask(id, 'small', createdAt, { state: 'cancelled' }), 1)
  table.delete('gone')
  const { items, total } = table.page(({ exposure }) => exposure === 'visible', 60, 0, 10)
  expect([items.map(({ id }) => id), total]).toEqual([['kept'], 1])
})

test('tasks that are asked for by their ids come newest first, among more than a block of the list holds', () => {
  const table = tableWith()
  for (let n = 0; n < 600; n += 1) table.set(newTask(`task-${n}`, 'small', 0, { state: 'cancelled' }), 1)
  const found = table.newestFirst(['task-500', 'task-599', 'task-3', 'task-520', 'task-3', 'unknown'])
  expect(found.map(({ id }) => id)).toEqual(['task-599', 'task-520', 'task-500', 'task-3'])
})

test('a copy is like its original, and changes do not reach the other', () => {
  const table = tableWith()
  for (const id of ['a', 'b', 'c']) table.set(newTask(id, 'small', 0, { state: 'cancelled' }), 1)
  table.setReporting('b', true)
  const copy = table.copy()
  copy.delete('a')
  expect([...table.keys()]).toEqual(['a', 'b', 'c'])
  expect([...copy.keys()]).toEqual(['b', 'c'])
  copy.setNext('b', undefined)
  copy.setNext('c', undefined)
  expect(copy.oldestEnded()?.id).toBe('c')
})
