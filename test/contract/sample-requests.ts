import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { inputOfCall, promptIn } from '../../src/emulator/core/scenario/match.js'
import { contextWith, create, taskOf } from '../emulator/families/context.js'
import { samplesOf } from './samples.js'

/** The requests of fixtures/requests: accepted as they stand, and decided alike every time. */
export const samplesAreAccepted = (family: AnyTaskFamily): void => {
  const samples = samplesOf(family)

  const folder = `fixtures/requests/${family.id}`
  test(`there are some in ${folder}`, () =>
    expect(samples.length, `${folder} holds no request`).toBeGreaterThan(0))

  test('every model is asked for in one of them', () => {
    const asked = samples.map(({ body }) => (body as { model: string }).model)
    expect(new Set(asked)).toEqual(new Set(family.models))
  })

  test('one of them is cheapest.json, which the console fills in', () =>
    expect(samples.map(({ name }) => name.replace('.json', ''))).toContain('cheapest'))

  test('one of them has a prompt that a scenario can look for', () =>
    expect(samples.some(({ body }) => promptIn(body) !== undefined)).toBe(true))

  for (const { name, says, operation, body, found } of samples) {
    test(`${name} names its purpose and its family`, () => {
      expect(says).toMatch(/^[A-Z].{10,}/)
      expect(operation).toBe(`${family.id}.create`)
    })

    test.each([
      ['as it stands', {}],
      ['with the setting strict', { strict: true }],
    ])(`${name} is accepted %s`, (_, settings) => {
      const { reply, meta: notes } = create(family, body, contextWith({ resolvedMedia: found, settings }))
      expect(notes).toMatchObject({ refusedBy: [], ignored: [] })
      expect(reply.status).toBe(200)
    })

    test(`${name}: a scenario finds the same prompt in its create and in the download of its result`, () => {
      const context = contextWith({ resolvedMedia: found })
      const task = taskOf(create(family, body, context), context)
      const params = { task_id: task.id }
      const download = { method: 'GET', body: { kind: 'none' }, params } as const
      const input = inputOfCall({ id: 'results.download' }, download, context.account, {
        at: context.now,
        wall: context.now,
      })
      expect(input.prompt() ?? '').toBe(promptIn(body) ?? '')
    })

    test(`${name} is decided alike in the same context`, () => {
      const decided = () => create(family, body, contextWith({ resolvedMedia: found, sequence: 7 }))
      expect(decided()).toEqual(decided())
    })
  }
}
