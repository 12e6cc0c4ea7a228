import type { AnyTaskFamily, Gap, Operation } from '../core/contract.js'
import { type Catalogue, type CatalogueFamily, RESULTS } from '../core/scenario/selector.js'
import { operationsOf } from '../core/task/operations.js'
import { statesOf } from '../core/task/timeline.js'
import { aImages } from './a-image/gaps.js'
import { image } from './a-image/index.js'
import { image2 } from './a2-image/index.js'
import { bVideoTask } from './b-video-task/gaps.js'
import { videoTask } from './b-video-task/index.js'
import { videoContent } from './c-video/content.js'
import { cVideo } from './c-video/gaps.js'
import { unifiedVideo } from './c-video/index.js'
import { dAssets } from './d-assets/gaps.js'
import { assetLibrary } from './d-assets/index.js'
import { eVideoReference } from './e-video-reference/gaps.js'
import { referenceVideo } from './e-video-reference/index.js'
import { fVideoV2 } from './f-video-v2/gaps.js'
import { videoV2 } from './f-video-v2/index.js'
import { everywhere, foundWhileBuilding, openPoints } from './shared/gaps.js'

/**
 * The keys of a request under which media are written, as strings or lists of them: `image` in A, A2 and E, `url` in B,
 * C and F. Whoever reads a large body takes Base64 out of these places and no others.
 */
export const mediaKeys: readonly string[] = ['image', 'url']

/** The table of contents: every chapter of the specification that makes tasks, in its order. */
export const taskFamilies: readonly AnyTaskFamily[] = [
  image,
  image2,
  videoTask,
  unifiedVideo,
  referenceVideo,
  videoV2,
]

/** Everything that clients can do. On a shared route the first operation answers for models that nobody has. */
export const operations: readonly Operation[] = [
  ...taskFamilies.flatMap(operationsOf),
  videoContent,
  ...assetLibrary.operations,
]

const entryOf = (family: AnyTaskFamily): CatalogueFamily => {
  const { id, models, errors, routes, callback } = family
  return {
    id,
    models,
    errors: Object.keys(errors),
    hasLives: routes.read !== undefined,
    states: statesOf(family),
    reports: callback === undefined ? 'never' : callback.handshake ? 'handshake' : 'plainly',
  }
}

const withoutTasks = ({ family, errors }: Pick<Operation, 'family' | 'errors'>): CatalogueFamily => ({
  id: family,
  models: [],
  errors,
  hasLives: false,
  states: [],
  reports: 'never',
})

const isTaskFamily = ({ family }: Operation): boolean => taskFamilies.some(({ id }) => id === family)
const others = operations.filter((operation) => !isTaskFamily(operation))

/** Everything that a scenario may name, read off the table of contents. */
export const catalogue: Catalogue = {
  operations: [...operations.map(({ id }) => id), `${RESULTS}.download`],
  uploads: operations.filter(({ form }) => form !== undefined).map(({ id }) => id),
  families: [
    ...taskFamilies.map(entryOf),
    ...new Map(others.map((operation) => [operation.family, withoutTasks(operation)])).values(),
    withoutTasks({ family: RESULTS, errors: [] }),
  ],
}

/** Every place that the specification leaves open, in the order of its chapters. */
export const gaps: readonly Gap[] = [
  ...everywhere,
  ...aImages,
  ...bVideoTask,
  ...cVideo,
  ...dAssets,
  ...eVideoReference,
  ...fVideoV2,
  ...openPoints,
  ...foundWhileBuilding,
]
