import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { mediaOf, schema } from '../../../src/families/c-video/schema.js'
import { modeOf } from '../../../src/families/shared/roles.js'
import { answer } from './request.js'

const FOLDER = 'fixtures/requests/c-video'
const samples = await Promise.all(
  (await readdir(FOLDER)).map(async (name) => {
    const sample = await readFile(`${FOLDER}/${name}`, 'utf8')
    return [name, JSON.parse(sample.replaceAll('{origin}', 'http://127.0.0.1:4010'))] as const
  }),
)

test.each(samples)('the sample request %s is taken, and nothing in it is ignored', (_, sample) => {
  const { status, notes } = answer(sample.body)
  expect(sample.operation).toBe('c-video.create')
  expect(status).toBe(200)
  expect(notes.ignored).toEqual([])
})

test('there is a sample request for every mode', () => {
  const modes = samples.map(([, { body }]) => modeOf(mediaOf(schema.parse(body))))
  expect(modes.sort()).toEqual(['first-frame', 'first-last-frame', 'reference', 'text'])
})
