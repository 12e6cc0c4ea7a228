import { expect, test } from 'vitest'
import { createEventStream } from '../../../src/emulator/control/actions/events.js'
import { createEventLog, type LiveEvents } from '../../../src/emulator/control/event-log.js'

/** Live events in which nothing comes by itself: `changed` answers at once whether something has come. */
const liveWith = (log = createEventLog({ entries: 10, characters: 1_000 })) => {
  const followed = { count: 0 }
  const live: LiveEvents = {
    log: {
      get latest() {
        return log.latest
      },
      after: log.after,
      changed: async (after) => log.latest !== after,
    },
    followers: 0,
    follow: () => {
      followed.count += 1
      return () => {
        followed.count -= 1
      }
    },
  }
  return { live, log, followed }
}

const options = { instance: 'i', seed: 1, journalEntries: 1_000, accounts: undefined, after: undefined }

test('a comment keeps a quiet stream alive', async () => {
  const { live } = liveWith()
  const events = createEventStream({ ...options, live })[Symbol.asyncIterator]()
  expect((await events.next()).value).toMatch(/^event: hello\nid: i\.0\n/)
  expect((await events.next()).value).toBe(':\n\n')
})

test('a reader that comes back late gets what came meanwhile in one batch', async () => {
  const { live, log } = liveWith()
  const events = createEventStream({ ...options, live })[Symbol.asyncIterator]()
  await events.next()
  log.append([{ account: 'a', text: '{"n":1}' }])
  log.append([{ account: 'a', text: '{"n":2}' }])
  expect((await events.next()).value).toBe('event: batch\nid: i.2\ndata: {"items":[{"n":1},{"n":2}]}\n\n')
})

test('a stream that was stopped ends and follows nothing', async () => {
  const { live, followed } = liveWith()
  const stream = createEventStream({ ...options, live })
  const events = stream[Symbol.asyncIterator]()
  await events.next()
  expect(followed.count).toBe(1)
  stream.stop()
  expect([(await events.next()).done, followed.count]).toEqual([true, 0])
})
