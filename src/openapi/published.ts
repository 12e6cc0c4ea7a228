import { z } from 'zod'
import { listQuerySchema } from '../core/task/list.js'
import * as image from '../families/a-image/responses.js'
import { schema as imageRequest } from '../families/a-image/schema.js'
import { schema as image2Request } from '../families/a2-image/index.js'
import * as image2 from '../families/a2-image/responses.js'
import * as videoTask from '../families/b-video-task/responses.js'
import { schema as videoTaskRequest } from '../families/b-video-task/schema.js'
import * as unifiedVideo from '../families/c-video/responses.js'
import { schema as unifiedVideoRequest } from '../families/c-video/schema.js'
import * as assets from '../families/d-assets/responses.js'
import * as referenceVideo from '../families/e-video-reference/responses.js'
import { schema as referenceVideoRequest } from '../families/e-video-reference/schema.js'
import * as videoV2 from '../families/f-video-v2/responses.js'
import { schema as videoV2Request } from '../families/f-video-v2/schema.js'
import { contentItem, contentItemWithRole } from '../families/shared/media-refs.js'

interface PublishedSchemas {
  /** What clients send. */
  readonly requests: Readonly<Record<string, z.ZodType>>
  /** What they get. */
  readonly answers: Readonly<Record<string, z.ZodType>>
}

/**
 * Every schema that clients meet, by the folder that it is in and the name under which it is published: as a schema of
 * the OpenAPI document and as a type of the package.
 */
export const publishedSchemas = {
  shared: {
    requests: { ContentItem: contentItem },
    answers: {},
  },
  'a-image': {
    requests: { ImageRequest: imageRequest.describe('A request of family A (§A).') },
    answers: { ImageAnswer: image.created, ImageProblem: image.problem },
  },
  'a2-image': {
    requests: { Image2Request: image2Request.describe('A request of family A2 (§A2).') },
    answers: { Image2Answer: image2.created },
  },
  'b-video-task': {
    requests: {
      VideoTaskRequest: videoTaskRequest.describe('A create request of family B (§B, gap B2).'),
      VideoTaskListQuery: listQuerySchema.describe('The query of a task list (§B List, gap B5).'),
    },
    answers: {
      VideoTaskCreated: videoTask.created,
      VideoTask: videoTask.read,
      VideoTaskList: videoTask.list,
      VideoTaskCancelled: videoTask.cancelled,
      VideoTaskProblem: videoTask.problem,
    },
  },
  'c-video': {
    requests: { UnifiedVideoRequest: unifiedVideoRequest.describe('A create request of family C (§C).') },
    answers: {
      UnifiedVideoCreated: unifiedVideo.created,
      UnifiedVideo: unifiedVideo.read,
      UnifiedVideoProblem: unifiedVideo.problem,
    },
  },
  'd-assets': {
    requests: {
      AssetJobQuery: z
        .object({ task_id: z.string().describe('the one that an upload answered') })
        .describe('The query of a resolve (§D Resolve).'),
    },
    answers: {
      AssetUploaded: assets.accepted,
      AssetJob: assets.resolved,
      AssetProblem: assets.problem,
    },
  },
  'e-video-reference': {
    requests: {
      // These two are in the schema so that a rule can refuse them (gap E3).
      ReferenceVideoRequest: referenceVideoRequest
        .omit({ image: true, images: true })
        .describe('A create request of family E (§E, gap E1 to E5).'),
    },
    answers: { ReferenceVideoCreated: referenceVideo.created, ReferenceVideo: referenceVideo.read },
  },
  'f-video-v2': {
    requests: {
      VideoV2Request: videoV2Request.describe('A create request of family F (§F, gap F7).'),
      VideoV2ContentItem: contentItemWithRole,
    },
    answers: {
      VideoV2Created: videoV2.created,
      VideoV2Task: videoV2.task,
      VideoV2Answer: videoV2.read,
      VideoV2Cancelled: videoV2.cancelled,
      VideoV2Challenge: videoV2.challenge,
      VideoV2Problem: videoV2.problem,
    },
  },
} satisfies Record<string, PublishedSchemas>
