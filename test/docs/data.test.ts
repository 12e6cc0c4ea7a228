import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { checkProfileFile } from '../../src/emulator/profile/load.js'
import { parseScenario } from '../../src/emulator/scenarios/read.js'
import { newFolder } from '../folder.js'
import { inLanguages, placeOf } from './blocks.js'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('JSON can be read, as a whole or line by line', () => {
  test.each(inLanguages('json').map((block) => [placeOf(block), block.code] as const))('%s', (_, code) => {
    expect(isJson(code) || code.trim().split('\n').every(isJson)).toBe(true)
  })
})

const hasKey = (value: unknown, key: string): boolean =>
  value !== null && typeof value === 'object' && Object.hasOwn(value, key)

/** The text as a whole scenario where it is one, or the steps of one; undefined where it is about something else. */
const scenarioIn = (text: string): string | undefined => {
  const document: unknown = parseDocument(text).toJS()
  if (hasKey(document, 'steps')) return text
  const isSteps = Array.isArray(document) && document.every((item) => hasKey(item, 'then'))
  return isSteps ? `name: from-a-page\nsays: Steps of a page.\nsteps:\n${text}` : undefined
}

describe('YAML can be read, and scenarios are right', () => {
  test.each(inLanguages('yaml').map((block) => [placeOf(block), block] as const))(
    '%s',
    async (_, { code, marks }) => {
      expect(parseDocument(code).errors).toEqual([])
      const scenario = scenarioIn(code)
      if (scenario !== undefined && marks['not run'] === undefined)
        expect(await parseScenario(scenario)).toEqual({ scenario: expect.anything() })
    },
  )
})

const profiles = inLanguages('yaml').filter(({ page, code }) => {
  const document: unknown = parseDocument(code).toJS()
  return page === 'docs/profiles.md' || (page === 'README.md' && hasKey(document, 'routes'))
})

describe('profiles are right', () => {
  test.each(profiles.map((block) => [placeOf(block), block.code] as const))('%s', async (_, code) => {
    const file = join(newFolder(), 'profile.yaml')
    writeFileSync(file, code)
    expect(await checkProfileFile(file)).toEqual({ profile: expect.anything() })
  })

  test('there are some', () => expect(profiles.length).toBeGreaterThan(10))
})

test('scenarios are among them', () =>
  expect(inLanguages('yaml').filter(({ code }) => scenarioIn(code) !== undefined).length).toBeGreaterThan(10))

test('a wrong scenario would be found', async () => {
  const text = '- when: { operation: b-video-task.crate }\n  then: { answer: { status: 500 } }\n'
  expect(await parseScenario(scenarioIn(text) ?? '')).toHaveProperty('diagnostics')
})

test('docs/hardening.md lists the codes of mistakes in HTTP', () => {
  const source = ['listener', 'app']
    .map((name) => readFileSync(`src/emulator/service/${name}.ts`, 'utf8'))
    .join()
  const [, listed = ''] = /the code is one of ([^:]+):/.exec(readFileSync('docs/hardening.md', 'utf8')) ?? []
  const codes = [...source.matchAll(/\bcode: '(\w+)'/g)].map(([, code]) => code)
  // A mistake of the emulator itself is "internal".
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, code]) => code).sort()).toEqual(
    codes.filter((code) => code !== 'internal').sort(),
  )
})
