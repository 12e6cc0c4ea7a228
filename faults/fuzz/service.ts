import fc from 'fast-check'
import { builtIn } from '../../src/emulator/families/index.js'
import { change, changed, fieldNames, json } from '../../test/contract/any-json.js'
import { samplesOf } from '../../test/contract/samples.js'
import { creates } from '../../test/hostile/asked.js'
import { refusedBodies } from '../../test/hostile/inputs/bodies.js'
import { encoded, oddText, oddValue } from './odd.js'
import type { FuzzRequest } from './request.js'

const { taskFamilies } = builtIn

type Drawn = fc.Arbitrary<Pick<FuzzRequest, 'method' | 'path' | 'body'>>

const pathOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(creates.map(({ family, path }) => [family, path])),
  'a2-image': '/provA/api/v1/services/aigc/multimodal-generation/generation',
  'e-video-reference': '/v1/videos',
}

const samples = taskFamilies.flatMap(({ id }) => samplesOf(id))

/** What clients of every family have sent, with some of it dropped, doubled, retyped or made extreme. */
const changedSample: Drawn = fc
  .record({
    sample: fc.constantFrom(...samples),
    changes: fc.array(change, { maxLength: 4 }),
    odd: fc.array(fc.record({ place: fc.nat(), how: fc.constant('replace' as const), value: oddValue }), {
      maxLength: 2,
    }),
  })
  .map(({ sample, changes, odd }) => ({
    method: 'POST',
    path: pathOf[sample.operation.split('.')[0] ?? ''] ?? '/',
    body: JSON.stringify(
      [...changes, ...odd].reduce<unknown>((body, one) => changed(body, one), sample.body),
    ),
  }))

const models = taskFamilies.flatMap(({ models: own }) => own)

const anyBody: Drawn = fc
  .record({
    path: fc.constantFrom(...Object.values(pathOf)),
    body: fc.oneof(
      fc
        .tuple(
          fc.dictionary(fc.constantFrom(...fieldNames), fc.oneof(json, oddValue)),
          fc.constantFrom(...models),
        )
        .map(([fields, model]) => JSON.stringify({ ...fields, model })),
      oddValue.map((value) => JSON.stringify(value)),
      fc.string({ unit: 'binary' }),
    ),
  })
  .map(({ path, body }) => ({ method: 'POST', path, body }))

// The large ones are for the part "hostile", which has each of them once.
const small = refusedBodies.filter(({ bytes, headers }) => headers === undefined && bytes().length < 300_000)

const brokenBody: Drawn = fc
  .tuple(fc.constantFrom(...Object.values(pathOf)), fc.constantFrom(...small))
  .map(([path, { bytes }]) => ({ method: 'POST', path, body: bytes() }))

const cutSample: Drawn = fc.tuple(changedSample, fc.nat()).map(([drawn, nat]) => {
  const text = String(drawn.body)
  return { ...drawn, body: text.slice(0, nat % (text.length + 1)) }
})

const TASKS = pathOf['b-video-task'] as string
const id = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('{0}', '{1}', '{2}') }, oddText.map(encoded))

const oneTask: Drawn = fc
  .tuple(
    fc.constantFrom('GET', 'DELETE', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'PATCH'),
    fc.constantFrom(TASKS, '/v1/videos', '/provC/v2/video_generation', '/provC/v2/query/video_generation'),
    id,
  )
  .map(([method, path, one]) => ({ method, path: `${path}/${one}` }))

// Films take seconds to draw, so that only those are asked for that are not there.
const content: Drawn = oddText.map((text) => ({
  method: 'GET',
  path: `/v1/videos/${encoded(text)}x/content`,
}))

const query = fc
  .array(
    fc.tuple(
      fc.constantFrom('page_num', 'page_size', 'filter.status', 'filter.model', 'task_id', 'a', '__proto__'),
      oddText,
    ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${encoded(value)}`).join('&'))

const list: Drawn = fc
  .tuple(fc.constantFrom(TASKS, '/v1/asset/jobs/get-asset-id', '/provC/v2/query/video_generation'), query)
  .map(([path, text]) => ({ method: 'GET', path: `${path}?${text}` }))

const anyPath: Drawn = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD'),
    fc.constantFrom(
      '',
      '/results',
      '/v1',
      '/provB/api',
      '/_backlot',
      '/_backlot/fixtures',
      '/_backlot/inbox',
    ),
    fc.array(oddText.map(encoded), { maxLength: 5 }),
    query,
  )
  .map(([method, root, steps, text]) => ({ method, path: `${root}/${steps.join('/')}?${text}` }))

/** Everything that a client of the service can ask, rightly or not. */
export const serviceRequest: Drawn = fc.oneof(
  { weight: 8, arbitrary: changedSample },
  { weight: 3, arbitrary: anyBody },
  { weight: 1, arbitrary: brokenBody },
  { weight: 1, arbitrary: cutSample },
  { weight: 4, arbitrary: oneTask },
  { weight: 1, arbitrary: content },
  { weight: 2, arbitrary: list },
  { weight: 2, arbitrary: anyPath },
)
