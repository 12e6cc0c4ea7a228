import type { AnyFamily } from '../core/contract.js'
import { ROUTES } from '../core/scenario/selector.js'
import { image } from './a-image/index.js'
import { image2 } from './a2-image/index.js'
import { videoTask } from './b-video-task/index.js'
import { unifiedVideo } from './c-video/index.js'
import { assetLibrary } from './d-assets/index.js'
import { referenceVideo } from './e-video-reference/index.js'
import { videoV2 } from './f-video-v2/index.js'
import { createRegistry, type Registry } from './registry.js'

/** Table of contents: one line a family, in the order of the specification. */
export const families: readonly AnyFamily[] = [
  image,
  image2,
  videoTask,
  unifiedVideo,
  assetLibrary,
  referenceVideo,
  videoV2,
]

/** Registry of these families alone, for an emulator to which nothing is added, and where there is no emulator. */
export const builtIn = createRegistry(families)

/** Ids of the families of a registry that come from outside; the routes of a profile are none of them. */
export const familiesFromOutside = (registry: Registry): string[] =>
  registry.families.map(({ id }) => id).filter((id) => id !== ROUTES && builtIn.family(id) === undefined)
