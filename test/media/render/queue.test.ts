import { expect, test } from 'vitest'
import { createQueue } from '../../../src/media/render/queue.js'

const never = new AbortController().signal

/** A job that ends when it is told to. */
const job = () => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { end, run: () => ended }
}

test('no more run at once than may', async () => {
  const queue = createQueue(2)
  const jobs = [job(), job(), job()]
  const runs = jobs.map(({ run }) => queue.run(run, never))
  expect([queue.running(), queue.waiting()]).toEqual([2, 1])
  jobs[0]?.end()
  await runs[0]
  expect([queue.running(), queue.waiting()]).toEqual([2, 0])
  for (const { end } of jobs) end()
  await Promise.all(runs)
  expect(queue.running()).toBe(0)
})

test('jobs have their turn in the order in which they came', async () => {
  const queue = createQueue(1)
  const order: number[] = []
  await Promise.all([1, 2, 3].map((number) => queue.run(async () => order.push(number), never)))
  expect(order).toEqual([1, 2, 3])
})

test('a job that fails makes room for the next', async () => {
  const queue = createQueue(1)
  const failing = queue.run(async () => {
    throw new Error('no')
  }, never)
  const next = queue.run(async () => 'done', never)
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('an aborted job leaves the line and never runs', async () => {
  const queue = createQueue(1)
  const first = job()
  const running = queue.run(first.run, never)
  const leaving = new AbortController()
  const left = queue.run(async () => expect.unreachable(), leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(queue.waiting()).toBe(0)
  first.end()
  await running
})
