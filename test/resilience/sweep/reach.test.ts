import { expect, test } from 'vitest'
import { readScenarioDocument } from '../../../src/emulator/scenarios/read.js'
import { canReach } from '../../../src/resilience/sweep/run.js'
import type { Sighting } from '../../../src/resilience/sweep/sighting.js'
import { call, callback, download, made, read, whole } from './sightings.js'

const baseline: readonly Sighting[] = [
  ...whole('1', { model: 'videoa-2-0-260128', prompt: 'a boat' }),
  ...whole('2', { account: 'b' }),
  callback(),
]

/** Whether a scenario of one step would act. */
const acts = (when: object, then: object, sightings = baseline): boolean =>
  canReach(readScenarioDocument({ name: 'x', description: 'Something.', steps: [{ when, then }] }), sightings)

const broken = { answer: { status: 502, text: 'no' } }

test.each<[string, object, boolean]>([
  ['an operation that was called', { operation: 'b-video-task.read' }, true],
  ['one that was not', { operation: 'c-video.read' }, false],
  ['the second query of an account', { operation: 'b-video-task.read', nth: 2 }, true],
  ['the third, where each account made two', { operation: 'b-video-task.read', nth: 3 }, false],
  ['a model that was ordered', { operation: 'b-video-task.create', model: 'videoa-2-0-260128' }, true],
  ['another model', { operation: 'b-video-task.create', model: 'videoa-2-0-fast-260128' }, false],
  ['words of the prompt', { operation: 'b-video-task.create', prompt: { contains: 'boat' } }, true],
  ['other words', { operation: 'b-video-task.create', prompt: { contains: 'car' } }, false],
  ['a time that another run may come to', { operation: 'b-video-task.read', from: '10m' }, true],
  ['a chance', { operation: 'b-video-task.read', probability: 0.01 }, true],
  ['a key that another run may have', { operation: 'b-video-task.read', account: 'some-key' }, true],
  ['a method that was used', { operation: 'results.download', method: 'GET' }, true],
  ['one that was not used', { operation: 'results.download', method: 'HEAD' }, false],
  ['a header that was not sent', { operation: 'results.download', header: 'range' }, false],
])('%s', (_, when, expected) => expect(acts(when, broken)).toBe(expected))

test('a header that was sent', () =>
  expect(
    acts({ operation: 'results.download', header: 'Range' }, broken, [download('1', { headers: ['range'] })]),
  ).toBe(true))

test('a callback by its status', () => {
  expect(acts({ callback: { status: 'succeeded' } }, { callback: { never: true } })).toBe(true)
  expect(acts({ callback: { status: 'failed' } }, { callback: { never: true } })).toBe(false)
})

test('a step about what is made acts on no refused create', () => {
  const create = { operation: 'b-video-task.create' }
  const fails = { task: { fails: { error: 'InternalServiceError' } } }
  const refused = call('b-video-task.create', { status: 400 })
  expect(acts(create, fails, [refused])).toBe(false)
  expect(acts(create, fails, [refused, ...made('1', 'queued')])).toBe(true)
})

test('a step about the file of a result acts on no refused download', () => {
  const cut = { result: { cutAt: 5 } }
  const refused = [403, 404].map((status) => download('1', { status }))
  expect(acts({ operation: 'results.download' }, cut, refused)).toBe(false)
  expect(acts({ operation: 'results.download' }, cut, [...refused, download('1', { status: 416 })])).toBe(
    true,
  )
})

test('nothing is reached where nothing was called', () => expect(acts({}, broken, [])).toBe(false))

test('a call without an operation is passed over', () =>
  expect(acts({}, broken, [{ ...read('1'), operation: undefined }])).toBe(false))
