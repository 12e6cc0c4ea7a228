import type { Operation } from '../core/operation.js'
import type { AnyTaskFamily } from '../core/task/family.js'
import { operationsOf } from '../core/task/operations.js'
import { image } from './a-image/index.js'
import { image2 } from './a2-image/index.js'
import { videoTask } from './b-video-task/index.js'
import { videoContent } from './c-video/content.js'
import { unifiedVideo } from './c-video/index.js'
import { assetLibrary } from './d-assets/index.js'
import { referenceVideo } from './e-video-reference/index.js'
import { videoV2 } from './f-video-v2/index.js'

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
