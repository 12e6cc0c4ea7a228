import { expect, test } from 'vitest'
import { forcedTimeline, type ResponseOverrides, viewAt } from '../../../../src/emulator/core/model/task.js'
import { withOverrides } from '../../../../src/emulator/core/task/read.js'
import { taskWith } from './literals.js'

/** What is said at an instant of a task that runs from 10 to 20, or fails at 15. */
const shownAs = (disguise: ResponseOverrides | undefined, body: unknown, now: number, isFailing = false) => {
  const task = taskWith(disguise === undefined ? {} : { responseOverrides: disguise })
  const timeline = isFailing
    ? forcedTimeline(task.timeline.slice(0, 2), 15, { state: 'failed', error: 'bad' })
    : task.timeline
  return withOverrides(
    { urlFields: ['url', 'video_url', 'last_frame_url'] },
    body,
    viewAt({ ...task, timeline }, now),
  )
}

const succeeded = {
  status: 'succeeded',
  content: { video_url: 'u', last_frame_url: 'u' },
  task: { content: { url: 'u' } },
  list: [{ url: 'u', seed: 1 }],
}

test('without a disguise the body is the very same', () =>
  expect(shownAs(undefined, succeeded, 20)).toBe(succeeded))

test('a success without URL has none anywhere, and everything else', () =>
  expect(shownAs({ withoutUrl: true }, succeeded, 20)).toEqual({
    status: 'succeeded',
    content: {},
    task: { content: {} },
    list: [{ seed: 1 }],
  }))

test.each([
  ['while it waits', 5, false, 'queued', 'queued'],
  ['while it runs', 10, false, 'running', 'warming_up'],
  ['when it has succeeded', 20, false, 'succeeded', 'succeeded'],
  ['when it has failed', 15, true, 'failed', 'failed'],
])('another word for running is said %s: %#', (_, now, isFailing, status, expected) =>
  expect(shownAs({ statusWord: 'warming_up' }, { status, task: { status } }, now, isFailing)).toEqual({
    status: expected,
    task: { status: expected },
  }),
)

test.each([
  [10, 10],
  [49, 49],
  [50, 5],
  [94, 49],
  [100, 100],
])('progress %i is said to be %i', (progress, expected) =>
  expect(shownAs({ progressJumpsBack: true }, { progress }, 15)).toEqual({ progress: expected }),
)

test('a progress that is no number stays what it is', () =>
  expect(shownAs({ progressJumpsBack: true }, { progress: '80%' }, 15)).toEqual({ progress: '80%' }))
