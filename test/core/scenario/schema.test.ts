import { expect, test } from 'vitest'
import { documentOf, scenarioSchema } from '../../../src/core/scenario/schema.js'
import { createLibrary } from '../../../src/scenarios/library.js'

const library = createLibrary()

test.each(await library.names())('%s can be written as a document and read again', async (name) => {
  const scenario = await library.read(name)
  expect(scenarioSchema.parse(JSON.parse(JSON.stringify(documentOf(scenario))))).toEqual(scenario)
})
