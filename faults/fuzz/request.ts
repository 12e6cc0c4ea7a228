/** A request as it was drawn. `{0}`, `{1}` … in its path and body stand for ids that answers have brought. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}
