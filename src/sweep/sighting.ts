import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { states } from '../core/model/task.js'
import { parseJson } from '../core/request.js'

const place = {
  account: z.string().describe('account id'),
  at: z.number().describe('on the clock of the account, in milliseconds'),
}

const actedSchema = z.strictObject({ step: z.int().min(1), effects: z.array(z.string()) })

const callSchema = z.strictObject({
  kind: z.literal('call'),
  ...place,
  wall: z.number().describe('when it was answered, in milliseconds of real time'),
  operation: z.string().optional(),
  method: z.string(),
  headers: z.array(z.string()).describe('names of its headers'),
  request: z.string().describe('hash of method, path and body: the same where a call is repeated'),
  status: z.int(),
  connection: z.enum(['reset', 'no-answer', 'cut-off']).optional(),
  task: z.string().optional().describe('the task that it made, read or fetched from'),
  makes: z.boolean().optional().describe('whether it made the task'),
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
  z.strictObject({ kind: z.literal('test'), ...place, file: z.string(), test: z.string() }),
])
export type Sighting = z.output<typeof sightingSchema>

/** Whether an emulator was called. */
export const hasCalls = (sightings: readonly Sighting[]): boolean =>
  sightings.some(({ kind }) => kind === 'call')

/** Number of accounts, and of emulators, that played a scenario of their own. */
export const leftAloneIn = (sightings: readonly Sighting[]): number =>
  new Set(sightings.filter((one) => one.kind === 'own').map(({ account }, index) => account ?? index)).size

const SIGHTINGS = /^sightings-(.+)\.jsonl$/

/**
 * Reads what all emulators of a run wrote into its folder. A line that was cut with its process is dropped. `recording`: that
 * of the emulator in which the scenario acted most; undefined: no emulator was called.
 */
export const readSightings = async (folder: string) => {
  const names = (await readdir(folder)).filter((name) => SIGHTINGS.test(name)).sort()
  const files = await Promise.all(
    names.map(async (name) => ({
      recording: join(folder, name.replace(SIGHTINGS, 'recording-$1.jsonl')),
      sightings: (await readFile(join(folder, name), 'utf8')).split('\n').flatMap(parsedLine),
    })),
  )
  const called = files.filter(({ sightings }) => hasCalls(sightings))
  const [busiest] = called.sort((one, other) => weight(other.sightings) - weight(one.sightings))
  return { sightings: files.flatMap(({ sightings }) => sightings), recording: busiest?.recording }
}

const parsedLine = (line: string): Sighting[] => {
  const { data } = sightingSchema.safeParse(parseJson(line))
  return data === undefined ? [] : [data]
}

/** Calls and callbacks on which a step of the scenario acted. */
export const actedOn = (sightings: readonly Sighting[]): Sighting[] =>
  sightings.filter((sighting) => 'acted' in sighting && sighting.acted !== undefined)

// Steps that acted count first; among equals the emulator with the most calls.
const weight = (sightings: readonly Sighting[]): number =>
  sightings.length + 1_000_000 * actedOn(sightings).length
