/**
 * What the handles answer with. Written by hand, so that the published types need no other package, and held against
 * what the actions return in published.ts. Times are ISO text of the account's clock.
 */
export type * from './account.js'
export type * from './callback.js'
export type * from './clock.js'
export type * from './loose-ends.js'
export type * from './request.js'
export type * from './scenario.js'
export type * from './task.js'
