import { expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { mediaOf, type Phase } from '../../src/emulator/core/model/task.js'
import { valueAt } from '../../src/emulator/core/request.js'
import { lastOf } from '../../src/emulator/core/schedule/time.js'
import {
  contextWith,
  create,
  expiryOf,
  force,
  list,
  read,
  type TestContext,
  taskOf,
} from '../emulator/families/context.js'
import { samplesOf } from './samples.js'

/** The answer to a query: whole in every phase, and plain JSON. Families without a query answer once. */
export const answersAreWholeInEveryPhase = (family: AnyTaskFamily): void => {
  for (const { name, body, found } of samplesOf(family)) {
    const made = () => {
      const context = contextWith({ resolvedMedia: found })
      const task = taskOf(create(family, body, context), context)
      return { context, task, media: mediaOf(lastOf(task.timeline).value) }
    }
    const answerIn = (phase: Phase, { context, task }: ReturnType<typeof made>) => {
      force(task, phase, context)
      return answered(family, task.id, context)
    }

    test(`${name}: the first answer is plain JSON`, () => {
      const { body: answer } = create(family, body, contextWith({ resolvedMedia: found })).reply
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer)
    })

    if (family.respond.read === undefined) continue

    test.each(['queued', 'running', 'cancelled'] as const)(`${name}: a task that is %s says so`, (state) =>
      expect(JSON.stringify(answerIn({ state }, made()))).toContain(`"status":"${state}"`),
    )

    test.each(['pending', 'expired'] as const)(`${name}: a task that is %s is answered`, (state) =>
      expect(JSON.stringify(answerIn({ state }, made()))).toContain('"status":'),
    )

    test(`${name}: a task that succeeded says so, and its result URLs live as long as they should`, () => {
      const task = made()
      const answer = answerIn({ state: 'succeeded', media: task.media }, task)
      expect(JSON.stringify(answer)).toContain('"status":"succeeded"')
      const urls = textsIn(answer).filter((text) => text.startsWith('https://results.test/'))
      expect(urls).not.toEqual([])
      for (const url of urls) expect(expiryOf(url)).toBe(task.context.now + family.resultTtlMs)
    })

    if (family.routes.list !== undefined)
      test(`${name}: a list has the task under items, as a query shows it`, () => {
        const { context, task } = made()
        const { body: page } = list(family, {}, context).reply
        expect(page).toMatchObject({ items: [answered(family, task.id, context)] })
      })

    test.each(['queued', 'running', 'cancelled'] as const)(
      `${name}: a task that is %s has no result URL`,
      (state) => expect(JSON.stringify(answerIn({ state }, made()))).not.toContain('https://results.test/'),
    )

    test.each(Object.keys(family.errors))(`${name}: a task that failed with %s says why`, (error) => {
      const answer = answerIn({ state: 'failed', error }, made())
      expect(JSON.stringify(answer)).toContain('"status":"failed"')
      expect(errorIn(family, answer)).toEqual({
        code: expect.any(String),
        message: expect.stringMatching(/\S/),
      })
    })
  }
}

const answered = (family: AnyTaskFamily, id: string, context: TestContext): unknown => {
  const { reply } = read(family, id, context)
  expect(reply.status).toBe(200)
  expect(JSON.parse(JSON.stringify(reply.body))).toEqual(reply.body)
  return reply.body
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const errorIn = ({ taskAt }: AnyTaskFamily, answer: unknown): unknown =>
  valueAt(answer, [...(taskAt?.split('.') ?? []), 'error'])
