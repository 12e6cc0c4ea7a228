/**
 * What the handles answer with. Written by hand, so that the published types need no other package, and held against
 * what the actions return in published.ts. Times are ISO text of the account's clock.
 */
export type * from '../generated/control-api.js'
export type * from '../generated/control-api.js'
export type * from '../generated/control-api.js'
export type * from '../generated/control-api.js'
export type * from '../generated/control-api.js'
export type * from '../generated/control-api.js'
export type * from '../generated/control-api.js'
