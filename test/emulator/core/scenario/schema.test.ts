import { expect, test } from 'vitest'
import {
  adviceOf,
  descriptionOf,
  documentOf,
  scenarioSchema,
} from '../../../../src/emulator/core/scenario/schema.js'
import { createLibrary } from '../../../../src/emulator/scenarios/library.js'

const library = createLibrary()

test.each(await library.names())('%s can be written as a document and read again', async (name) => {
  const scenario = await library.read(name)
  expect(scenarioSchema.parse(JSON.parse(JSON.stringify(documentOf(scenario))))).toEqual(scenario)
})

test.each([
  ['new', { description: 'It is late', advice: 'Wait' }],
  ['old', { says: 'It is late', client: 'Wait' }],
])('description and advice are read in the %s spelling', (_, keys) => {
  expect(descriptionOf(keys)).toBe('It is late')
  expect(adviceOf(keys)).toBe('Wait')
})

test('a scenario as a document has its durations in whole units', () => {
  const steps = [{ when: { from: '300s', until: '1h30m' }, then: { transport: { delay: '1500ms' } } }]
  const { steps: written } = documentOf(scenarioSchema.parse({ name: 'slow', description: 'Slow.', steps }))
  expect(written).toMatchObject([
    { when: { from: '5m', until: '90m' }, then: { transport: { delay: '1500ms' } } },
  ])
})
