import { z } from 'zod'
import type { FamilyApi } from '../../core/contract.js'
import { read as readTask, statuses } from '../b-video-task/responses.js'
import { models } from '../b-video-task/schema.js'
import { RESULT_TTL_MS } from '../b-video-task/timeline.js'
import { resultUrl, unixTime } from '../shared/respond.js'
import { schema } from './schema.js'

/** The words for statuses, and those of the setting `videoStatusWords` (gap C4). */
const statusWord = <S extends string>(words: readonly S[]) =>
  z
    .enum([...words, 'in_progress', 'completed'])
    .describe('`in_progress` and `completed` only with the setting `videoStatusWords: openai-style`')

/** What every task on this path shows, of the models and with the statuses of its family (gap C1, §E response). */
export const taskOf = <M extends z.ZodType, S extends string>(model: M, statuses: readonly S[]) => ({
  id: z.string(),
  task_id: z.string().describe('the same as `id`'),
  object: z.literal('video'),
  model,
  status: statusWord(statuses),
  progress: z.int().describe('whole percent'),
  created_at: unixTime,
})

const own = taskOf(z.enum(models), statuses)

/** The create response (gap C1). */
export const created = z.object(own).describe('What a create request of family C answers (gap C1).')

const url = resultUrl(RESULT_TTL_MS)

/** The places besides `content` where clients look for the video (gap C3, Z27). */
export const links = {
  completed_at: unixTime.nullable().describe('when it ended, in whichever way; null until it does'),
  url: url.optional().describe('only once succeeded'),
  video_url: url.optional().describe('the same as `url`'),
  metadata: z.object({ url }).optional().describe('only once succeeded'),
}

/** B's object, and beside it what clients of this path look for (gap C3). */
export const read = z
  .object({ ...readTask.shape, ...own, ...links })
  .describe('A video task as family C shows it (§B query, gap C3).')

/** The error body, in both shapes that clients read; the same in E (gap C). */
export const problem = z
  .object({
    code: z.string(),
    message: z.string(),
    data: z.null(),
    error: z.object({ message: z.string(), type: z.string(), code: z.string(), param: z.null() }),
  })
  .describe('A refusal of families C and E, in both shapes that clients read (defaults C).')

/** API description of family C. */
export const api: FamilyApi = {
  requests: { UnifiedVideoRequest: schema.describe('A create request of family C (§C).') },
  responses: { UnifiedVideoCreated: created, UnifiedVideo: read, UnifiedVideoProblem: problem },
  operations: {
    create: {
      summary: 'Create a video',
      body: 'UnifiedVideoRequest',
      response: 'UnifiedVideoCreated',
      error: 'UnifiedVideoProblem',
    },
    read: { summary: 'Query a video', response: 'UnifiedVideo', error: 'UnifiedVideoProblem' },
    content: { summary: 'Get the bytes of a video', file: 'video/mp4', error: 'UnifiedVideoProblem' },
  },
}
