import { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test, vi } from 'vitest'
import type { Events } from '../../src/emulator/core/events.js'
import { createHealthIssues } from '../../src/emulator/observability/health.js'
import { createLargeBodyReader } from '../../src/emulator/service/large-body/reader.js'

const chunks = (text: string) => [Buffer.from(text)]

const openReader = () => {
  const events = new EventEmitter<Events>()
  const reported: string[] = []
  events.on('trouble', ({ need, state }) => reported.push(`${need} ${state}`))
  return { reader: createLargeBodyReader([], createHealthIssues(events)), reported }
}

/** Ends the thread as soon as it is given something to do. */
const killNext = () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker) {
    post.mockRestore()
    void this.terminate()
  })
}

test('a thread that dies takes no call with it: the body is lost, and the next one gets another thread', async () => {
  const { reader, reported } = openReader()
  expect(await reader.read(chunks('{"a":1}'))).toMatchObject({ kind: 'json' })
  killNext()
  expect(await reader.read(chunks('{"a":2}'))).toMatchObject({
    kind: 'not-kept',
    detail: expect.stringContaining('send it again'),
  })
  expect(await reader.read(chunks('{"a":3}'))).toMatchObject({ kind: 'json', value: { a: 3 } })
  expect(reported).toEqual(['large-bodies begun', 'large-bodies over'])
  await reader.stop()
})

test('a reader that is stopped leaves no thread and says nothing', async () => {
  const { reader, reported } = openReader()
  await reader.read(chunks('[]'))
  await reader.stop()
  expect(reported).toEqual([])
})
