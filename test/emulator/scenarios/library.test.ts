import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { adviceOf, descriptionOf, scenarioSubjects } from '../../../src/emulator/core/scenario/schema.js'
import { createLibrary } from '../../../src/emulator/scenarios/library.js'

const library = createLibrary()
const names = await library.names()

test.each(names)('%s says what it is for and what a robust client does', async (name) => {
  const scenario = await library.read(name)
  for (const sentence of [descriptionOf(scenario) ?? '', adviceOf(scenario) ?? ''])
    expect(sentence.trim()).toMatch(/^[A-Z`].{30,}\.$/s)
})

test.each(names)('%s begins with the address of its schema, its name and what it is for', async (name) => {
  const text = await readFile(`${library.folder}/${name}.yaml`, 'utf8')
  expect(text).toMatch(
    new RegExp(
      `^# yaml-language-server: \\$schema=./scenario.schema.json\nname: ${name}\ndescription: .*\nadvice: `,
      's',
    ),
  )
})

test.each(names)('%s says what it is about and whether a client can survive it', async (name) => {
  const { about, survivable } = await library.read(name)
  expect(scenarioSubjects).toContain(about)
  expect(['boolean', 'object']).toContain(typeof survivable)
})
