export const models = ['gamma-H3', 'gamma-H3-Max'] as const
export type Model = (typeof models)[number]

export const resolutions = ['480P', '768P', '2K'] as const
export type Resolution = (typeof resolutions)[number]

export const MIN_SECONDS = 4
export const MAX_SECONDS = 15

interface Difference {
  /** Whether reference images, videos and audios are taken. */
  readonly takesReferences: boolean
  readonly resolutions: readonly Resolution[]
  readonly minSeconds: number
}

/** What one model does and the other does not (§F model differences). */
export const differences: Readonly<Record<Model, Difference>> = {
  'gamma-H3': { takesReferences: true, resolutions: ['768P', '2K'], minSeconds: MIN_SECONDS },
  'gamma-H3-Max': { takesReferences: false, resolutions: ['480P', '768P'], minSeconds: 5 },
}
