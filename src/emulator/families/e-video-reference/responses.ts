import { z } from 'zod'
import type { DecisionContext, ErrorTable, FamilyApi } from '../../core/contract.js'
import type { TaskView } from '../../core/model/task.js'
import { RESULT_TTL_MS } from '../b-video-task/responses.js'
import { completedAt, created, errorOf, links, linksTo, taskOf } from '../c-video/responses.js'
import { failure, resultUrl, unixSeconds, unixTime } from '../shared/responses.js'
import { modelNamed } from '../shared/schema.js'
import { type Models, type ReferenceParams, type schemaOf, statuses } from './schema.js'

type View = TaskView<ReferenceParams>

/** The task object: as C shows it, without what E does not have (gap E7, Z27). */
export const read = (view: View, context: DecisionContext, errors: ErrorTable) => {
  const { task, since } = view
  return Object.assign(created(view, context), {
    updated_at: unixSeconds(since),
    completed_at: completedAt(view),
    seconds: String(task.params.seconds),
    size: task.params.size,
    seed: task.params.seed,
    error: errorOf(view, context, errors),
    ...resultOf(view, context),
  })
}

const resultOf = ({ task, phase, since }: View, context: DecisionContext) => {
  if (phase.state !== 'succeeded') return {}
  const url = context.resultUrl(task, 0, since + RESULT_TTL_MS)
  return { ...linksTo(url, task.id, context), content: { video_url: url } }
}

const readSchemaOf = (models: Models) =>
  z
    .object({
      ...taskOf(modelNamed(models.ids), statuses),
      updated_at: unixTime,
      seconds: z.string(),
      size: z.enum(models.sizes),
      seed: z.int().describe('the one used'),
      error: failure,
      content: z
        .object({ video_url: resultUrl(RESULT_TTL_MS) })
        .optional()
        .describe('only once succeeded'),
      ...links,
    })
    .describe('A video task as family E shows it (gap E7, Z27).')

/** API description of family E. Refusals are those of C. */
export const apiOf = (models: Models, schema: ReturnType<typeof schemaOf>) =>
  ({
    requests: {
      // `image` and `images` are in the schema so that a rule can refuse them (gap E3).
      ReferenceVideoRequest: schema
        .omit({ image: true, images: true })
        .describe('A create request of family E (§E, gaps E1 to E5).'),
    },
    responses: {
      ReferenceVideoCreated: z
        .object(taskOf(modelNamed(models.ids), statuses))
        .describe('What a create request of family E answers (§E response).'),
      ReferenceVideo: readSchemaOf(models),
    },
    error: 'UnifiedVideoProblem',
    operations: {
      create: {
        summary: 'Create a video of given characters',
        body: 'ReferenceVideoRequest',
        response: 'ReferenceVideoCreated',
      },
      read: { summary: 'Query a video of given characters', response: 'ReferenceVideo' },
    },
  }) satisfies FamilyApi
