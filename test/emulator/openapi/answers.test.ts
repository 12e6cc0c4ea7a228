import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { AnyTaskFamily } from '../../../src/emulator/core/contract.js'
import { mediaOf, type Phase, statesOf } from '../../../src/emulator/core/model/task.js'
import { lastOf } from '../../../src/emulator/core/schedule/time.js'
import { builtIn, families } from '../../../src/emulator/families/index.js'
import { samplesOf } from '../../contract/samples.js'
import { cancel, contextWith, create, force, list, operationOf, read, taskOf } from '../families/context.js'

const { taskFamilies } = builtIn

// Families share schemas, each of which one of them publishes.
const published: Readonly<Record<string, z.ZodType>> = Object.assign(
  {},
  ...families.map(({ api }) => api.responses),
)

const answersOf = ({ api: { operations, error } }: AnyTaskFamily) => {
  const schemaOf = (verb: string) => published[operations[verb]?.response ?? '']
  return {
    created: schemaOf('create'),
    read: schemaOf('read'),
    list: schemaOf('list'),
    cancelled: schemaOf('cancel'),
    problem: published[error],
  }
}

/** Nothing more and nothing less than the schema says: what a schema does not know, it drops. */
const isAnswer = (body: unknown, schema: z.ZodType | undefined) => expect(schema?.parse(body)).toEqual(body)

const phasesOf = (family: AnyTaskFamily): Phase[] => [
  ...statesOf(family)
    .filter((state) => state !== 'succeeded' && state !== 'failed')
    .map((state) => ({ state })),
  ...Object.keys(family.errors).map((error) => ({ state: 'failed' as const, error })),
]

for (const family of taskFamilies)
  describe(`answers of ${family.id} are as their schemas say`, () => {
    const answers = answersOf(family)
    const samples = samplesOf(family.id)

    test.each(samples)('$name: the first one', ({ body, found }) => {
      const { reply } = create(family, body, contextWith({ resolvedMedia: found }))
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      isAnswer(reply.body, answers.created)
    })

    test.each(Object.keys(family.errors))('the refusal %s', (error) => {
      const { refuse } = operationOf(
        { ...family, wellKnownErrors: { ...family.wellKnownErrors, internal: error } },
        'create',
      )
      isAnswer(refuse('internal', {}, 'request-1').body, answers.problem)
    })

    if (family.respond.read === undefined) return

    test.each(samples)('$name: every status', ({ body, found }) => {
      for (const phase of phasesOf(family)) {
        const context = contextWith({ resolvedMedia: found })
        const task = taskOf(create(family, body, context), context)
        force(task, phase, context)
        isAnswer(read(family, task.id, context).reply.body, answers.read)
      }
    })

    test.each(['specification', 'openai-style'] as const)('success, in words of %s', (videoStatusWords) => {
      for (const { body, found } of samples) {
        const context = contextWith({ resolvedMedia: found, settings: { videoStatusWords } })
        const task = taskOf(create(family, body, context), context)
        force(task, { state: 'succeeded', media: mediaOf(lastOf(task.timeline).value) }, context)
        isAnswer(read(family, task.id, context).reply.body, answers.read)
        if (family.routes.list !== undefined) isAnswer(list(family, {}, context).reply.body, answers.list)
      }
    })

    test.runIf(family.routes.cancel)('cancelling', () => {
      for (const { body, found } of samples) {
        const context = contextWith({ resolvedMedia: found })
        const task = taskOf(create(family, body, context), context)
        isAnswer(cancel(family, task.id, context).reply.body, answers.cancelled)
      }
    })
  })
