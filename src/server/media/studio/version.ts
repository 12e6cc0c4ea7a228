/** Part of the name of every drawn file: to be raised whenever the same spec begins to look different. */
export const RENDERER_VERSION = '5'
