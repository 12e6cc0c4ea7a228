import { isRecord } from '../../core/request/body-checks.js'
import { shapeRefusals } from '../../core/request/shape.js'
import { isKind, type StateRecord, values } from './records.js'

/** Makes a record of the version `from` one of the next; undefined for one that has no place there. */
export interface Migration {
  readonly from: number
  readonly change: (record: Envelope) => Envelope | undefined
}

/** Every change of what is written, oldest first. There has been one version so far. */
const migrations: readonly Migration[] = []

/** A record of a version as the newest one has it. */
const migrated = (
  record: Envelope,
  version: number,
  all: readonly Migration[] = migrations,
): Envelope | undefined =>
  all
    .filter(({ from }) => from >= version)
    .reduce<Envelope | undefined>((changed, { change }) => changed && change(changed), record)

/** What is wrong with a record: a sentence without a full stop, which says what was found and what is expected. */
export class BadRecord extends Error {}

/**
 * Meets a record with its schema, as an older version wrote it or as this one does. Undefined for one that has no place
 * any more.
 * @throws BadRecord
 */
export const readRecord = (
  written: unknown,
  version: number,
  migrations?: readonly Migration[],
): StateRecord | undefined => {
  const known = migrated(envelope(written), version, migrations)
  if (known === undefined) return undefined
  const record = withCurrentNames(known)
  const [kind, account, id, value] = record
  if (!isKind(kind))
    throw new BadRecord(`found a record of the kind ${JSON.stringify(kind)}, which there is not`)
  const named = `${kind}${id === '' ? '' : ` ${id}`}`
  if (value === null) return [kind, account, id, null]
  const shape = values[kind].safeParse(value)
  if (!shape.success) {
    const wrong = shapeRefusals(shape.error.issues, value).map(({ message }) => message)
    throw new BadRecord(`in the ${named}, ${wrong.join('; ')}`)
  }
  const misplaced = whereItBelongs(shape.data, account, id)
  if (misplaced !== undefined) throw new BadRecord(`the ${named} says that it is ${misplaced}`)
  // What was met is as it came, other than a scenario; a second copy of everything would be half of the time that a start takes.
  return kind === 'scenario' ? [kind, account, id, shape.data] : (record as StateRecord)
}

/** Names of properties that tasks and assets had before, and those that they have now. */
const formerNames = { order: 'params', life: 'timeline', disguise: 'responseOverrides' } as const

/** Record with the current names of its properties. Files of before are read; only the current names are written. */
const withCurrentNames = (record: Envelope): Envelope => {
  const [kind, account, id, value] = record
  const isRenamed = (kind === 'task' || kind === 'asset') && isRecord(value) && 'life' in value
  if (!isRenamed) return record
  const entries = Object.entries(value).map(([name, one]) => [
    Object.hasOwn(formerNames, name) ? formerNames[name as keyof typeof formerNames] : name,
    one,
  ])
  return [kind, account, id, Object.fromEntries(entries)]
}

/** A record before anything is known of its value. */
export type Envelope = readonly [kind: string, account: string, id: string, value: unknown]

const envelope = (written: unknown): Envelope => {
  if (isEnvelope(written)) return written
  throw new BadRecord(`expected [kind, account, id, value], found ${shortened(JSON.stringify(written))}`)
}

const isEnvelope = (written: unknown): written is Envelope =>
  Array.isArray(written) &&
  written.length === 4 &&
  typeof written[0] === 'string' &&
  typeof written[1] === 'string' &&
  typeof written[2] === 'string'

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

// What is copied by hand from one place to another, and not changed everywhere.
const whereItBelongs = (value: unknown, account: string, id: string): string | undefined => {
  const found = value as { readonly id?: unknown; readonly account?: unknown; readonly taskId?: unknown }
  if (typeof found.account === 'string' && found.account !== account) return `of the account ${found.account}`
  const name = found.id ?? found.taskId
  return typeof name === 'string' && name !== id ? name : undefined
}
