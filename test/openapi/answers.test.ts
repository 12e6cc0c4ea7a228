import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { AnyTaskFamily } from '../../src/core/contract.js'
import { mediaOf, type Phase } from '../../src/core/model/task.js'
import { lastOf } from '../../src/core/schedule/time.js'
import { api as image } from '../../src/families/a-image/responses.js'
import { image2 } from '../../src/families/a2-image/index.js'
import { api as videoTask } from '../../src/families/b-video-task/responses.js'
import { api as unifiedVideo } from '../../src/families/c-video/responses.js'
import { api as referenceVideo } from '../../src/families/e-video-reference/responses.js'
import { api as videoV2 } from '../../src/families/f-video-v2/responses.js'
import { taskFamilies } from '../../src/families/index.js'
import { samplesOf } from '../contract/samples.js'
import { cancel, create, force, list, operationOf, read, taskOf, worldWith } from '../families/world.js'

interface Answers {
  readonly created: z.ZodType
  readonly read?: z.ZodType
  readonly list?: z.ZodType
  readonly cancelled?: z.ZodType
  readonly problem: z.ZodType
}

const answersOf: Readonly<Record<string, Answers>> = {
  'a-image': { created: image.responses.ImageAnswer, problem: image.responses.ImageProblem },
  'a2-image': {
    created: image2.api?.responses.Image2Answer as z.ZodType,
    problem: image.responses.ImageProblem,
  },
  'b-video-task': {
    created: videoTask.responses.VideoTaskCreated,
    read: videoTask.responses.VideoTask,
    list: videoTask.responses.VideoTaskList,
    cancelled: videoTask.responses.VideoTaskCancelled,
    problem: videoTask.responses.VideoTaskProblem,
  },
  'c-video': {
    created: unifiedVideo.responses.UnifiedVideoCreated,
    read: unifiedVideo.responses.UnifiedVideo,
    problem: unifiedVideo.responses.UnifiedVideoProblem,
  },
  'e-video-reference': {
    created: referenceVideo.responses.ReferenceVideoCreated,
    read: referenceVideo.responses.ReferenceVideo,
    problem: unifiedVideo.responses.UnifiedVideoProblem,
  },
  'f-video-v2': {
    created: videoV2.responses.VideoV2Created,
    read: videoV2.responses.VideoV2Answer,
    cancelled: videoV2.responses.VideoV2Cancelled,
    problem: videoV2.responses.VideoV2Problem,
  },
}

/** Nothing more and nothing less than the schema says: what a schema does not know, it drops. */
const isAnswer = (body: unknown, schema: z.ZodType | undefined) => expect(schema?.parse(body)).toEqual(body)

// What no scenario and no control call has changed.
const statesOf = ({ id, deadline }: AnyTaskFamily) => [
  ...(id === 'e-video-reference' ? (['pending'] as const) : []),
  ...(['queued', 'running', 'cancelled'] as const),
  ...(deadline === undefined ? [] : (['expired'] as const)),
]

const phasesOf = (family: AnyTaskFamily): Phase[] => [
  ...statesOf(family).map((state) => ({ state })),
  ...Object.keys(family.errors).map((error) => ({ state: 'failed' as const, error })),
]

test.each(taskFamilies.map(({ id }) => id))('%s has answers', (id) => expect(answersOf[id]).toBeDefined())

for (const family of taskFamilies)
  describe(`answers of ${family.id} are as their schemas say`, () => {
    const answers = answersOf[family.id] as Answers
    const samples = samplesOf(family.id)

    test.each(samples)('$name: the first one', ({ body, found }) =>
      isAnswer(create(family, body, worldWith({ resolvedMedia: found })).reply.body, answers.created),
    )

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
        const world = worldWith({ resolvedMedia: found })
        const task = taskOf(create(family, body, world), world)
        force(task, phase, world)
        isAnswer(read(family, task.id, world).reply.body, answers.read)
      }
    })

    test.each(['specification', 'openai-style'] as const)('success, in words of %s', (videoStatusWords) => {
      for (const { body, found } of samples) {
        const world = worldWith({ resolvedMedia: found, settings: { videoStatusWords } })
        const task = taskOf(create(family, body, world), world)
        force(task, { state: 'succeeded', media: mediaOf(lastOf(task.timeline).value) }, world)
        isAnswer(read(family, task.id, world).reply.body, answers.read)
        if (family.routes.list !== undefined) isAnswer(list(family, {}, world).reply.body, answers.list)
      }
    })

    test.runIf(family.routes.cancel)('cancelling', () => {
      for (const { body, found } of samples) {
        const world = worldWith({ resolvedMedia: found })
        const task = taskOf(create(family, body, world), world)
        isAnswer(cancel(family, task.id, world).reply.body, answers.cancelled)
      }
    })
  })
