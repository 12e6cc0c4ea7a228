import type * as Source from '../src/index.js'

const entry = new URL('../dist/index.js', import.meta.url).href

/** The package as it is built: what users run, with the types of its sources. */
export const { startEmulator } = (await import(entry)) as typeof Source
