import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { faults } from '../../emulator/surface/faults.js'
import { parseJson } from '../../emulator/surface/journal.js'
import { EmulatorError, type State, states, systemReason } from '../../emulator/surface/records.js'
import { builtIn } from '../../emulator/surface/registry.js'
import type { RehearsedFile } from '../../emulator/surface/scenarios.js'
import { findingKinds } from '../../emulator/surface/verdict.js'

const place = {
  account: z.string().describe('account id'),
  at: z.number().describe('on the clock of the account, in milliseconds'),
}

const actedSchema = z.strictObject({ step: z.int().min(1), effects: z.array(z.string()) })

const taskNumber = {
  taskNumber: z.int().optional().describe('of the task among those of its family, from 1'),
}

const callSchema = z.strictObject({
  kind: z.literal('call'),
  ...place,
  wall: z.number().describe('when it was answered, in milliseconds of real time'),
  begun: z.number().optional().describe('when it had arrived, in milliseconds of real time'),
  operation: z.string().optional(),
  method: z.string(),
  headers: z.array(z.string()).describe('names of its headers'),
  request: z.string().describe('hash of method, path, query and body: the same where a call is repeated'),
  status: z.int(),
  range: z.string().optional().describe('the header Range'),
  connection: z.enum(['reset', 'no-answer', 'cut-off']).optional(),
  hasLeft: z.literal(true).optional().describe('its client left before the end of a file'),
  task: z.string().optional().describe('the task that it made, read or fetched from'),
  makes: z.boolean().optional().describe('whether it made the task'),
  state: z.enum(states).optional().describe('of the task that it read or fetched from, at the time'),
  ...taskNumber,
  file: z
    .custom<RehearsedFile>((value) => typeof value === 'object' && value !== null)
    .optional()
    .describe('the file that it asks for, as far as a scenario can change it'),
  isFile: z.literal(true).optional().describe('its answer is the file of a result'),
  canCancel: z.literal(true).optional().describe('its family has a call that cancels a task'),
  canList: z.literal(true).optional().describe('its family has a call that lists tasks'),
  model: z.string().optional(),
  prompt: z.string().optional(),
  idempotencyKey: z.string().optional(),
  retryAfterMs: z.number().optional(),
  final: z.boolean().optional().describe('whether its answer says that the task is over'),
  acted: actedSchema.optional().describe('the step of the swept scenario that acted'),
})
export type CallSighting = z.output<typeof callSchema>

const taskSchema = z.strictObject({
  kind: z.literal('task'),
  ...place,
  task: z.string(),
  state: z.enum(states),
  price: z.number(),
})

const callbackSchema = z.strictObject({
  kind: z.literal('callback'),
  ...place,
  task: z.string(),
  ...taskNumber,
  operation: z.string().describe('the create of its task'),
  message: z.enum(['challenge', 'delivery']),
  model: z.string().optional(),
  prompt: z.string().optional(),
  status: z.enum(states).optional(),
  isRefused: z.boolean().describe('whether the latest attempt was refused or got no answer'),
  acted: actedSchema.optional(),
})
export type CallbackSighting = z.output<typeof callbackSchema>

/** Zod schema of a sighting: one thing that an emulator saw during a run of the command. */
const sightingSchema = z.discriminatedUnion('kind', [
  callSchema,
  taskSchema,
  callbackSchema,
  z.strictObject({
    kind: z.literal('own').describe('a scenario of its own is played'),
    account: z.string().optional().describe('default: every account of the emulator'),
  }),
  z.strictObject({
    kind: z.literal('finding').describe('of the verdict on a client, in a run without a scenario'),
    ...place,
    finding: z.enum(findingKinds),
    message: z.string(),
  }),
  z.strictObject({ kind: z.literal('test'), ...place, file: z.string(), test: z.string() }),
])
export type Sighting = z.output<typeof sightingSchema>

/** Whether an emulator was called. */
export const hasCalls = (sightings: readonly Sighting[]): boolean =>
  sightings.some(({ kind }) => kind === 'call')

/** Number of accounts, and of emulators, that played a scenario of their own. */
export const leftAloneIn = (sightings: readonly Sighting[]): number =>
  new Set(
    sightings.filter((sighting) => sighting.kind === 'own').map(({ account }, index) => account ?? index),
  ).size

const SIGHTINGS = /^sightings-(.+)\.jsonl$/
/** A file that could not be written to its end is named after the error. */
const BROKEN = /^sightings-.+\.(E[A-Z0-9]+)$/

/**
 * Reads what all emulators of a run wrote into its folder. A line that was cut with its process is dropped. `recording`: that
 * of the emulator in which the scenario acted most, or undefined where no emulator was called. `isMetElsewhere`: whether the scenario
 * acted in an emulator that is not the server of the sweep.
 * @param served files of that server
 * @throws EmulatorError `cannot-sweep` where an emulator could not write what it saw, or wrote what cannot be read
 */
export const readSightings = async (folder: string, served: readonly string[] = []) => {
  const all = await readdir(folder)
  const [code] = all.flatMap((name) => BROKEN.exec(name)?.[1] ?? [])
  if (code !== undefined) throw cannotSweep(folder, Object.assign(new Error(code), { code }))
  const names = all.filter((name) => SIGHTINGS.test(name)).sort()
  const files = await Promise.all(
    names.map(async (name) => ({
      isServed: served.includes(name),
      recording: join(folder, name.replace(SIGHTINGS, 'recording-$1.jsonl')),
      sightings: sightingsIn(await readFile(join(folder, name), 'utf8'), join(folder, name)),
    })),
  )
  const called = files.filter(({ sightings }) => hasCalls(sightings))
  const [busiest] = called.sort((a, b) => weight(b.sightings) - weight(a.sightings))
  return {
    sightings: files.flatMap(({ sightings }) => sightings),
    recording: busiest?.recording,
    isMetElsewhere: files.some(({ isServed, sightings }) => !isServed && actedOn(sightings).length > 0),
  }
}

/** Error about a folder of a run that cannot be written. */
export const cannotSweep = (folder: string, cause: unknown): EmulatorError =>
  new EmulatorError(`The sweep cannot write what it sees into ${folder}: ${systemReason(cause)}.`, {
    code: 'cannot-sweep',
    hint: 'Make room, or name a folder on another disk with --output.',
    cause,
  })

const sightingsIn = (text: string, file: string): Sighting[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const { data } = sightingSchema.safeParse(parseJson(line))
      if (data !== undefined) return data
      const message = `Line ${index + 1} of ${file} is nothing that an emulator of this version saw.`
      const hint = 'The tests must start emulators of the version of Backlot that sweeps.'
      throw new EmulatorError(message, { code: 'cannot-sweep', hint })
    })

/** Calls and callbacks on which a step of the scenario acted. */
export const actedOn = (sightings: readonly Sighting[]): Sighting[] =>
  sightings.filter((sighting) => 'acted' in sighting && sighting.acted !== undefined)

// Steps that acted count first; among equals the emulator with the most calls.
const weight = (sightings: readonly Sighting[]): number =>
  sightings.length + 1_000_000 * actedOn(sightings).length

/** Task that a run made, as it stood when the command ended. */
export interface SightedTask {
  readonly account: string
  /** Call that made it. Its hash is the same where the same is ordered again. */
  readonly create: CallSighting
  readonly state: State
  /** What it costs when it succeeds. */
  readonly price: number
  /** Whether a result was handed out. */
  readonly isFetched: boolean
  /**
   * Whether no client can get the result: it runs for ever, waits for ever where it cannot be cancelled, vanishes, has no URL, or
   * the key does not count any more, or its create had no answer in a family without a list.
   */
  readonly isOutOfReach: boolean
}

/** Whether a call asks for the file of a result. */
export const isDownload = ({ operation = '', isFile }: CallSighting): boolean =>
  isFile === true || builtIn.fileOperations.includes(operation)

const { isFetched } = faults.ofFiles<CallSighting>(isDownload)

/** Tasks of a run. One whose create was never recorded is not among them. */
export const tasksOf = (sightings: readonly Sighting[]): SightedTask[] => {
  const states = new Map<string, { readonly state: State; readonly price: number }>()
  const fetched = new Set<string>()
  const latest = new Map<string, CallSighting>()
  for (const sighting of sightings) {
    if (sighting.kind === 'task') states.set(sighting.task, sighting)
    if (sighting.kind !== 'call') continue
    // The address of a result needs no key.
    if (sighting.operation !== 'results.download') latest.set(sighting.account, sighting)
    if (isFetched(sighting)) fetched.add(sighting.task ?? '')
  }
  return sightings.flatMap((call) => {
    if (call.kind !== 'call' || call.makes !== true || call.task === undefined) return []
    const { account, task } = call
    const { state = 'queued' as const, price = 0 } = states.get(task) ?? {}
    const isOutOfReach =
      faults.isWithheld(
        call.acted,
        state,
        call.canCancel === true || hasSibling(call.operation ?? '', 'cancel'),
      ) ||
      faults.isLockedOut(latest.get(account)) ||
      (faults.hasFailed(call) && !(call.canList === true || hasSibling(call.operation ?? '', 'list')))
    return [{ account, create: call, state, price, isFetched: fetched.has(task), isOutOfReach }]
  })
}

/** Whether a task has not ended. */
export const isOpen = ({ state }: SightedTask): boolean => faults.openStates.includes(state)

/** Whether the family of a create has another call: one that cancels a task, or one that lists them. */
const hasSibling = (create: string, verb: 'cancel' | 'list'): boolean =>
  builtIn.operations.some(({ id }) => id === create.replace(/\.create$/, `.${verb}`))
