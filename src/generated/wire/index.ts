// Written by `npm run generate` from the schemas of the families. Change those.
export type * from './a-image.js'
export type * from './a2-image.js'
export type * from './b-video-task.js'
export type * from './c-video.js'
export type * from './d-assets.js'
export type * from './e-video-reference.js'
export type * from './f-video-v2.js'
