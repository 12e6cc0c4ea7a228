import { z } from 'zod'
import type { DecisionContext, FamilyApi, Rule, TaskFamily } from '../../core/contract.js'
import type { FamilyFacts } from '../../core/family-facts.js'
import type { TaskView } from '../../core/model/task.js'
import { expectedButFound, mustBe } from '../../core/request.js'
import { errorBody, errors, type ImageError, wellKnownErrors } from '../a-image/errors.js'
import { bounds, type ImageBounds } from '../a-image/facts.js'
import { output, outputSchema, RESULT_TTL_MS } from '../a-image/responses.js'
import { sharedRulesOf, warnings } from '../a-image/rules.js'
import {
  type ImageContent,
  type ImageParams,
  idsOf,
  inputSchema,
  paramsOf,
  paramsSchema,
  readRequest,
  sharedParametersOf,
} from '../a-image/schema.js'
import { newId, timelineOf } from '../a-image/timeline.js'
import { requestId } from '../shared/responses.js'
import { modelNamed } from '../shared/schema.js'

/** Model and bounds of A2; the bounds are those of A. */
const facts = { models: { 'alpha-image-2.0-pro': {} }, bounds } satisfies FamilyFacts
type Image2Facts = typeof facts

const MAX_MESSAGES = 100

/** A request of family A2: the layout of A, and the parameters named for this model (§A2, gap A5). */
export const schemaOf = ({ models, bounds }: Image2Facts) => {
  const parameters = sharedParametersOf(bounds)
  return z.object({
    model: modelNamed(idsOf(models)),
    // A rule, not the schema, holds it to one message, since the setting a2Editing allows more.
    input: inputSchema(
      MAX_MESSAGES,
      `a list of exactly 1 item, or with the setting a2Editing of 1 to ${MAX_MESSAGES}`,
    ),
    parameters: parameters.default(() => parameters.parse({})),
  })
}
type Image2Body = z.output<ReturnType<typeof schemaOf>>
type Image2Input = Image2Body & ImageContent

type Image2Rule = Rule<Image2Input, ImageError>

const exactlyOneMessage: Image2Rule = {
  id: 'exactly-one-message',
  says: 'There is exactly one message, unless the setting a2Editing is on.',
  place: 'docs/families/a2-image.md#messages, docs/gaps.md#a5',
  check: ({ input: { messages } }, { settings }) =>
    messages.length === 1 || settings.a2Editing
      ? undefined
      : expectedButFound('input.messages', 'a list of exactly 1 item', `${messages.length} items`),
}

const textAlone: Image2Rule = {
  id: 'text-alone',
  says: 'The content holds no image, unless the setting a2Editing is on.',
  place: 'docs/families/a2-image.md#messages, docs/gaps.md#a5',
  check: ({ mediaRefs: [first] }, { settings }) => {
    if (first === undefined || settings.a2Editing) return undefined
    return mustBe(first.field, 'left out: this model makes images from text alone', first.url)
  },
}

const rulesOf = (bounds: ImageBounds): readonly Image2Rule[] => [
  exactlyOneMessage,
  textAlone,
  ...sharedRulesOf(bounds),
]

/** The answer of A with the metering of this model (§A2, gap A6). */
const created = (view: TaskView<ImageParams>, context: DecisionContext) => ({
  request_id: context.requestId,
  output: output(view, context),
  usage: { image_count: view.task.params.n, width: view.task.params.width, height: view.task.params.height },
})

const usageSchema = z.object({
  image_count: z.int(),
  width: z.int().describe('pixels'),
  height: z.int().describe('pixels'),
})

const createdSchema = z
  .object({ request_id: requestId, output: outputSchema, usage: usageSchema })
  .describe('The pictures that family A2 makes, with their metering (§A2).')

/** API description of family A2. Refusals are those of A. */
export const apiOf = (schema: ReturnType<typeof schemaOf>) =>
  ({
    requests: { Image2Request: schema.describe('A request of family A2 (§A2).') },
    responses: { Image2Answer: createdSchema },
    error: 'ImageProblem',
    operations: {
      create: {
        summary: 'Make pictures with the second model',
        body: 'Image2Request',
        response: 'Image2Answer',
      },
    },
  }) satisfies FamilyApi

/**
 * Text-to-image with the second-generation model, of these facts, on the path of A (§A2). What this folder does not have is as
 * in A.
 */
const image2Of = (facts: Image2Facts): Image2Family => {
  const schema = schemaOf(facts)
  return {
    id: 'a2-image',
    section: 'A2',
    title: 'Images, second model',
    reliesOn: { create: ['A2', 'A6'], refusal: ['A1'] },
    api: apiOf(schema),
    bodySizeRef: 'docs/families/a-image.md#body, docs/gaps.md#a7',
    mediaFields: ['image'],
    urlFields: ['image'],
    models: idsOf(facts.models),
    routes: {
      create: { method: 'POST', path: '/provA/api/v1/services/aigc/multimodal-generation/generation' },
    },
    maxBodyBytes: (settings) => settings.imageBodyBytes,
    schema,
    readRequest,
    rules: rulesOf(facts.bounds),
    errors,
    wellKnownErrors,
    mediaRefs: ({ mediaRefs }) => mediaRefs,
    warnings,
    paramsSchema,
    params: paramsOf(facts.bounds),
    newId,
    timeline: timelineOf,
    images: (params) => params.n,
    resultTtlMs: RESULT_TTL_MS,
    respond: { created, error: errorBody },
    facts,
    make: image2Of,
  }
}

type Image2Family = TaskFamily<Image2Input, ImageParams, ImageError, Image2Body>

/** The family of A2. */
export const image2 = image2Of(facts)
