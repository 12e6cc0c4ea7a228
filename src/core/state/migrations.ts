import type { Envelope } from './read-record.js'

/** Makes a record of the version `from` one of the next; undefined for one that has no place there. */
export interface Migration {
  readonly from: number
  readonly change: (record: Envelope) => Envelope | undefined
}

/** Every change of what is written, oldest first. There has been one version so far. */
const migrations: readonly Migration[] = []

/** A record of a version as the newest one has it. */
export const migrated = (
  record: Envelope,
  version: number,
  all: readonly Migration[] = migrations,
): Envelope | undefined =>
  all
    .filter(({ from }) => from >= version)
    .reduce<Envelope | undefined>((changed, { change }) => changed && change(changed), record)
