import { expect, test } from 'vitest'
import type { MediaSpec, VideoSpec } from '../../../src/emulator/core/media/spec.js'
import { instantTimeline, type Task } from '../../../src/emulator/core/model/task.js'
import { rehearsedFileOf } from '../../../src/emulator/core/scenario/rehearse.js'
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

const card = { prompt: 'a boat', model: 'm', size: '', seed: 1, id: '1' }
const alike = { seed: 1, card, hasWatermark: false }
const picture: MediaSpec = { kind: 'picture', width: 640, height: 360, inputs: [], ...alike }
const video: VideoSpec = {
  ...{ kind: 'video', width: 640, height: 360, seconds: 2, framesPerSecond: 24, hasAudio: false },
  ...{ references: [], ...alike },
}

/** Download of the first result of a task with these, beside another task where `other` is given. */
const downloadOf = (media: readonly MediaSpec[], { other = false, index = 0 } = {}): Sighting[] => {
  const taskOf = (id: string) => ({ id, timeline: instantTimeline(0, media) }) as unknown as Task
  const ids = other ? ['1', '2'] : ['1']
  const tasks = new Map(ids.map((id) => [id, taskOf(id)]))
  const path = `/results/0123456789ab/1/${index}.png`
  return [download('1', { file: rehearsedFileOf(tasks, taskOf('1'), path, 10) })]
}

test.each<[string, object, Sighting[], boolean]>([
  ['another length, of a picture', { seconds: 4 }, downloadOf([picture]), false],
  ['another length, of a video', { seconds: 4 }, downloadOf([video]), true],
  ['the length that was ordered', { seconds: 2 }, downloadOf([video]), false],
  ['a picture of another size', { size: '512x512' }, downloadOf([picture]), true],
  ['the size that was ordered', { size: '640x360' }, downloadOf([picture]), false],
  [
    'another size of a last frame',
    { size: '512x512' },
    downloadOf([video, { kind: 'last-frame', of: video }], { index: 1 }),
    false,
  ],
  ['a picture without sound', { sound: false }, downloadOf([picture]), false],
  ['a silent video without sound', { sound: false }, downloadOf([video]), false],
  ['a turned picture', { rotation: 90 }, downloadOf([picture]), false],
  ['a turned video', { rotation: 90 }, downloadOf([video]), true],
  ['another format of a picture', { format: 'jpeg' }, downloadOf([picture]), true],
  ['another format of a video', { format: 'jpeg' }, downloadOf([video]), false],
  ['one of two that fit', { seconds: 4, format: 'jpeg' }, downloadOf([picture]), true],
  ['the file of another task', { of: 'another-task' }, downloadOf([video], { other: true }), true],
  ['the file of another task where there is none', { of: 'another-task' }, downloadOf([video]), false],
  ['that of the first task, of itself', { of: 'first-task' }, downloadOf([video], { other: true }), false],
  ['damage, of either', { corrupt: true }, downloadOf([picture]), true],
  ['a file of which nothing is known', { seconds: 4 }, [download('1')], true],
])('%s', (_, result, sightings, expected) =>
  expect(acts({ operation: 'results.download' }, { result }, sightings)).toBe(expected),
)

test('a task without such a result has no file to rehearse with', () =>
  expect(downloadOf([picture], { index: 3 })).toEqual([download('1')]))

test('nothing is reached where nothing was called', () => expect(acts({}, broken, [])).toBe(false))

test('a call without an operation is passed over', () =>
  expect(acts({}, broken, [{ ...read('1'), operation: undefined }])).toBe(false))
