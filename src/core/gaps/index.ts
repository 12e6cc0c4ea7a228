import { aImages } from './a-images.js'
import { bVideoTask } from './b-video-task.js'
import { cVideo } from './c-video.js'
import { dAssets } from './d-assets.js'
import { eVideoReference } from './e-video-reference.js'
import { everywhere } from './everywhere.js'
import { fVideoV2 } from './f-video-v2.js'
import { foundWhileBuilding } from './found-while-building.js'
import type { Gap } from './gap.js'
import { openPoints } from './open-points.js'

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
