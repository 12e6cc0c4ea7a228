import type { Instant } from './timeline.js'

/** An instant as the control API writes it. */
export const isoOf = (at: Instant): string => new Date(at).toISOString()
