import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Mark, markOf, readMark } from '../../../../src/emulator/core/media/mark.js'
import { posterOf, shapeOf } from '../../../../src/emulator/core/media/spec.js'
import { withMark } from '../../../../src/emulator/media/render/with-mark.js'
import { picture, video } from '../../media/render/specs.js'

const card = { ...picture().card, prompt: '灯塔', id: 'cgt-20260101000000-abcde' }
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
)
const box = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1')
const mark: Mark = { task: 'some task', model: 'Ω', seed: 7, index: 1, prompt: 'ab' }

test('a mark says which result a file is, and only the hash of its prompt', () => {
  expect(markOf(video({ card, seed: 11 }))).toEqual({
    task: 'cgt-20260101000000-abcde',
    model: 'alpha-image-3.0-pro',
    ...{ seed: 11, index: 0, prompt: createHash('sha256').update('灯塔').digest('hex') },
  })
})

test.each([
  ['the third of four pictures', picture({ card: { ...card, index: '3/4' } }), 2],
  ['a picture', picture({ card }), 0],
  ['a last frame', { kind: 'last-frame', of: video({ card }) } as const, 1],
  ['the poster of a video', posterOf(video({ card })), 0],
])('%s has its number', (_, spec, index) => expect(markOf(spec).index).toBe(index))

test.each([
  ['PNG', png],
  ['MP4', box],
])('a mark is read from the %s into which it was written', (_, file) => {
  expect(readMark(file)).toBeUndefined()
  const marked = withMark(file, mark)
  expect(readMark(marked)).toEqual(mark)
  expect(readMark(new Uint8Array(marked))).toEqual(mark)
  expect(readMark(marked.subarray(0, marked.length - 40))).toBeUndefined()
})

test.each([
  ['nothing', Buffer.alloc(0)],
  [
    'a PNG with text of another program',
    withMark(png, mark).toString('latin1').replace('Backlot', 'Another'),
  ],
  [
    'an MP4 with a box of another program',
    withMark(box, mark).toString('latin1').replace('\x7e\x5a', '\x7e\x5b'),
  ],
  ['a mark that is no JSON', withMark(box, mark).toString('latin1').replace('{"task"', '["task"')],
])('%s has no mark', (_, file) =>
  expect(readMark(typeof file === 'string' ? Buffer.from(file, 'latin1') : file)).toBeUndefined(),
)

test('files of several tasks have other lengths', () => {
  const lengths = Array.from(
    { length: 20 },
    (_, n) => withMark(png, { ...mark, task: `task-${n + 10}` }).length,
  )
  expect(new Set(lengths).size).toBeGreaterThan(15)
})

test('a shape is the same for all results of its kind, pixels, seconds, rate, sound, watermark and frames', () => {
  const same = video({ card: { ...card, id: 'other', prompt: 'other' }, seed: 12 })
  expect(shapeOf(same)).toEqual(shapeOf(video({ card })))
  expect(shapeOf({ kind: 'last-frame', of: same })).toEqual({ kind: 'last-frame', of: shapeOf(same) })
  const frame = { kind: 'image', blob: 'ab', label: 'first_frame' } as const
  for (const change of [
    ...[{ width: 322 }, { seconds: 4 }, { framesPerSecond: 30 }, { hasAudio: false }, { hasWatermark: true }],
    ...[{ firstFrame: frame }, { lastFrame: frame }],
  ])
    expect(shapeOf(video(change)), JSON.stringify(change)).not.toEqual(shapeOf(video()))
})
