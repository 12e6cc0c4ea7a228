import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AnyTaskFamily, FailureKind } from '../../src/emulator/core/contract.js'
import type { ErrorSpec } from '../../src/emulator/core/model/call.js'
import { valueAt } from '../../src/emulator/core/request.js'
import { operationsOf } from '../../src/emulator/core/task/operations.js'
import { settingsSchema } from '../../src/emulator/settings.js'
import { operationOf } from '../emulator/families/context.js'
import { shapeOf } from './error-shapes.js'

const statusOfStanding: Readonly<Record<FailureKind, readonly number[]>> = {
  unauthenticated: [401],
  unreadable: [400],
  unsupported: [400, 415],
  'too-large': [413],
  'rate-limited': [429],
  internal: [500],
}

/** The family's own tables: errors, standing errors, rules, models and routes. */
export const tablesAreWhole = (family: AnyTaskFamily, { isOutside = false } = {}): void => {
  test('is named after its folder, and has a title and models', () => {
    expect(family.id).toMatch(new RegExp(`^${family.section.toLowerCase()}-[a-z0-9-]+$`))
    const folder = `src/emulator/families/${family.id}`
    expect(existsSync(isOutside ? 'examples/family' : `${folder}/index.ts`)).toBe(true)
    expect(family.title).not.toBe('')
    expect(family.models.length).toBeGreaterThan(0)
  })

  test('rules have ids of their own', () => {
    const ids = family.rules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(family.rules.map((rule) => [rule.id, rule]))(
    'the rule %s has a sentence and a place',
    (id, rule) => {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(rule.says).toMatch(/^\S.*\.$/)
      expect(rule.place).toMatch(isOutside ? /^(docs|https:\/)\// : /^docs\//)
    },
  )

  test.each(Object.keys(family.errors))('the error %s is answered with its status and a message', (error) => {
    const shape = shapeOf(family.id)
    const { refuse } = operationOf(
      { ...family, wellKnownErrors: { ...family.wellKnownErrors, internal: error } },
      'create',
    )
    const reply = refuse('internal', {}, 'request-1')
    expect(reply.status).toBe(specOf(family, error).status)
    expect(String(reply.status)).toMatch(/^[45]\d\d$/)
    expect(reply.body).toEqual(shape.schema.parse(reply.body))
    expect(valueAt(reply.body, shape.message)).toContain(specOf(family, error).message)
  })

  test.each(Object.entries(family.wellKnownErrors))('what is %s has a name in the table: %s', (_, error) =>
    expect(Object.keys(family.errors)).toContain(error),
  )

  test.each(Object.entries(statusOfStanding))(
    'what is %s is answered with one of %j',
    (standing, statuses) => {
      const { refuse } = operationOf(family, 'create')
      const reply = refuse(standing as FailureKind, { message: 'a message of the rule' }, 'request-1')
      expect(statuses).toContain(reply.status)
      expect(valueAt(reply.body, shapeOf(family.id).message)).toContain('a message of the rule')
    },
  )

  test('a body has a limit', () => {
    for (const { maxBodyBytes } of operationsOf(family))
      expect(maxBodyBytes(settingsSchema.parse({}))).toBeGreaterThan(2 ** 20)
  })

  test.each(Object.entries({ ...family.api.requests, ...family.api.responses }))(
    'editors show a sentence beside the type %s',
    (_, { description }) => expect(description?.length).toBeGreaterThanOrEqual(10),
  )

  test('results live for a while', () => expect(family.resultTtlMs).toBeGreaterThan(0))
}

const specOf = (family: AnyTaskFamily, error: string): ErrorSpec => family.errors[error] as ErrorSpec
