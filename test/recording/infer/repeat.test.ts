import { expect, test } from 'vitest'
import type { ObservedCall } from '../../../src/recording/infer/observed.js'
import { repeatableCalls } from '../../../src/recording/infer/repeat.js'

const TASKS = '/provB/api/v3/contents/generations/tasks'
const RESULT = '/results/0123456789ab/cgt-1/0.mp4'

const call = (verb: string, path: string, json: unknown): ObservedCall => {
  const operation = verb === 'download' ? 'results.download' : `b-video-task.${verb}`
  return { at: 0, method: 'GET', path, operation, answer: { status: 200, headers: {}, json } }
}

const shown = { id: 'cgt-1', content: { video_url: `http://emulator.invalid${RESULT}?Signature=1` } }
const create = call('create', TASKS, { id: 'cgt-1' })
const read = call('read', `${TASKS}/cgt-1`, shown)
const list = call('list', TASKS, { items: [shown, { id: 'cgt-2' }] })
const download = call('download', RESULT, undefined)

/** The path of the last of these calls, a download, as a test makes it. */
const pathOf = (calls: readonly ObservedCall[]): string | undefined => {
  const when = { operation: 'results.download', nth: 1 }
  const steps = [{ when, then: { result: { missing: true as const } } }]
  return repeatableCalls(calls, { name: 'made', description: 'Made.', steps }).at(-1)?.path
}

test.each([
  ['a query', [create, read, list], '{url 2}'],
  ['the create, rather than a list, which can be without it', [create, list], '{url 1}'],
  ['a list where the create was not seen', [list], '{url 1}'],
  ['a path where nothing names it', [], RESULT],
])('the URL of a result comes from %s', (_, calls, path) => expect(pathOf([...calls, download])).toBe(path))

test('a medium is a fixture, and a prompt that begins like one stays', () => {
  const texts = ['Data: a chart', 'data:video/mp4;base64,{medium 1}']
  const sent = { ...create, json: { content: texts.map((text) => ({ text })) } }
  const steps = [{ when: { operation: 'b-video-task.create', nth: 1 }, then: { answer: { status: 500 } } }]
  expect(repeatableCalls([sent], { name: 'made', description: 'Made.', steps })).toMatchObject([
    { json: { content: [{ text: 'Data: a chart' }, { text: '{fixtures}/clip.mp4' }] } },
  ])
})
