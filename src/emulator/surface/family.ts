/** Families: what the package exports as `backlot/family`. */
export * from '../families/toolkit.js'
