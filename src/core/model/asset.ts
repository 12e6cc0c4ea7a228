import type { MediaFacts } from '../media/media.js'
import type { Instant, Timeline } from '../schedule/time.js'

/** Why an asset cannot be used, in the words in which a caller reads it (gap D5). */
export interface AssetFailure {
  readonly code: string
  /** A sentence without a full stop, which names what was found and what is allowed. */
  readonly message: string
}

/** Where an asset is in its life (gap D3 to D5). */
export type AssetPhase =
  | { readonly state: 'Processing' }
  | { readonly state: 'Active' }
  | { readonly state: 'Failed'; readonly error: AssetFailure }

export type AssetTimeline = Timeline<AssetPhase>

/**
 * An uploaded file: plain data that survives JSON. Its life is written down when it is uploaded, as that of a task is,
 * and nothing rewrites it.
 */
export interface Asset {
  /** What requests name it by: `asset://<id>`. */
  readonly id: string
  /** What its upload answered, and what resolving asks for. */
  readonly jobId: string
  /** The key of its account. */
  readonly account: string
  /** The file's, as it was sent. */
  readonly name: string
  /** Undefined where the upload named none. */
  readonly groupId?: string
  readonly bytes: number
  /** SHA-256 of the bytes in hex: their name in the blob store, where they are pinned. */
  readonly blob: string
  /** Undefined where the file cannot be read; such an asset fails. */
  readonly facts?: MediaFacts
  /** The upload that made it, for the journal. */
  readonly requestId: string
  readonly createdAt: Instant
  readonly timeline: AssetTimeline
}
