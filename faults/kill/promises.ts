/** What an answer has promised to its client, and when it came (by `performance.now()`). */
export type Promised = { readonly at: number } & (
  | { readonly kind: 'task'; readonly id: string; readonly path: string; readonly callsBack: boolean }
  /** A task that was cancelled, or one that had ended and was deleted. */
  | {
      readonly kind: 'gone'
      readonly id: string
      readonly path: string
      readonly as: 'cancelled' | 'deleted'
    }
  | { readonly kind: 'asset'; readonly id: string }
  | { readonly kind: 'result'; readonly path: string; readonly bytes: number }
)
