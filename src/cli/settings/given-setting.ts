/** What one source says about one setting. */
export interface GivenSetting {
  readonly name: string
  readonly value: unknown
  /** How messages call it: `--port`, `BACKLOT_PORT`, `port`. */
  readonly saidAs: string
  /** The file it stands in; left out where `saidAs` says enough. */
  readonly file?: string
}
