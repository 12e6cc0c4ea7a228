import { beginningOf, isRecord, shapeRefusals } from '../../core/request.js'
import { BadRecord } from './errors.js'
import type { StateRecord } from './records.js'
import { recordSchemas } from './schemas.js'

/**
 * Checks a record by its schema, once it is converted from an older version.
 * @throws BadRecord
 */
export const checkedRecord = (written: unknown, version: number): StateRecord => {
  const record = converted(envelopeOf(written), version)
  const [kind, account, id, value] = record
  if (!isKind(kind))
    throw new BadRecord(`found a record of the kind ${JSON.stringify(kind)}, which there is not`)
  if (value === null) return record as StateRecord
  const named = `${kind}${id === '' ? '' : ` ${id}`}`
  const shape = recordSchemas[kind].safeParse(value)
  if (!shape.success) {
    const wrong = shapeRefusals(shape.error.issues, value).map(({ message }) => message)
    throw new BadRecord(`in the ${named}, ${wrong.join('; ')}`)
  }
  const misplaced = misplacedTo(value, account, id)
  if (misplaced !== undefined) throw new BadRecord(`the ${named} says that it is ${misplaced}`)
  // As it was written: a second copy of everything takes half of the time of a start.
  return record as StateRecord
}

/** Converts a record of an older version to the current one. */
const converted = (record: Envelope, version: number): Envelope => {
  const [kind, account, id, value] = record
  return version > 1 || !isRecord(value) ? record : [kind, account, id, fromVersion1(kind, value)]
}

type Fields = Readonly<Record<string, unknown>>

const fromVersion1 = (kind: string, value: Fields): unknown => {
  if (kind === 'task' || kind === 'asset') return renamed(value)
  if (kind === 'callback') return callbackFromVersion1(value)
  if (kind === 'account') return { ...value, playing: listOf(value.playing).map(runFromVersion1) }
  if (kind !== 'correspondence') return value
  const waiting = listOf(value.waiting).map(callbackFromVersion1)
  const held = listOf(value.held).map(callbackFromVersion1)
  const { guest, ...queue } = value
  const requestRun = isRecord(guest) ? { requestRun: runFromVersion1(guest) } : {}
  return { ...queue, waiting, held, ...requestRun }
}

const formerNames: Readonly<Record<string, string>> = {
  order: 'params',
  life: 'timeline',
  disguise: 'responseOverrides',
}

const renamed = (value: Fields): Fields =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [formerNames[name] ?? name, field]))

const callbackFromVersion1 = (value: Fields): Fields =>
  isRecord(value.task) ? { ...value, task: renamed(value.task) } : value

// Traces of matches had another form; they only tell why a step did not act the last time.
const runFromVersion1 = (value: Fields): Fields => ({ ...value, latest: {} })

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isRecord) : [])

type Envelope = readonly [kind: string, account: string, id: string, value: unknown]

const isEnvelope = (written: unknown): written is Envelope =>
  Array.isArray(written) &&
  written.length === 4 &&
  written.slice(0, 3).every((part) => typeof part === 'string')

const envelopeOf = (written: unknown): Envelope => {
  if (isEnvelope(written)) return written
  throw new BadRecord(`expected [kind, account, id, value], found ${shortened(JSON.stringify(written))}`)
}

const isKind = (kind: string): kind is StateRecord[0] => Object.hasOwn(recordSchemas, kind)

export const shortened = (text: string): string => (text.length > 60 ? `${beginningOf(text)}…` : text)

// An editor copies by hand, and then does not change every place.
const misplacedTo = (value: unknown, account: string, id: string): string | undefined => {
  const fields = value as Fields
  if (typeof fields.account === 'string' && fields.account !== account)
    return `of the account ${fields.account}`
  const name = fields.id ?? fields.taskId
  return typeof name === 'string' && name !== id ? name : undefined
}
