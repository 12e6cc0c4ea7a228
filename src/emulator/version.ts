import manifest from '../../package.json' with { type: 'json' }

/** The version of this package. */
export const version: string = manifest.version

/**
 * Version of the renderer: part of the name of every rendered file, and of the head of recordings, whose files are
 * compared by the same version alone. Raise it whenever the same spec begins to look different.
 */
export const RENDERER_VERSION = 10

/** Platform, on which rendered bytes are the same. */
export const platform = `${process.platform}-${process.arch}`

/** What decides about the bytes of a rendered file, beside the file's spec. */
export const rendering = { platform, renderer: RENDERER_VERSION } as const
