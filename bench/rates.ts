import { existsSync } from 'node:fs'
import { ask, type Call, control, creates, get, TASKS, waitForIdle, wireOf } from './calls.js'
import { type Loaded, load } from './load.js'
import { byTurns, inFullOr, medians } from './measure.js'
import { type Aim, atLeast, atMost, OURS, row, type Table } from './report.js'
import { type Server, startBacklot, startPeer } from './server.js'

const ROUNDS = inFullOr(5, 1)
/** Of the live clock: with it tasks end within a second, the first of them while others are still made. */
const SPEED = '4'
// A second or less each: the machine is nearly the same for all candidates of a round.
const CALLS = inFullOr(10_000, 1_000)
// Each reads a picture to its last pixel, which takes as long as dozens of calls.
const E_CREATES = CALLS / 10
/**
 * Turns of calls before the first that counts, in one go: until V8 has compiled what runs often, which takes some 20,000 calls, a
 * call takes up to three times as long. All turns together stay below the most tasks of an account.
 */
const WARM_UP = inFullOr(3, 1)
/** Tasks of the account whose list is read. */
const LISTED = 1_000

/** A call that is measured, and what is wanted of it. */
interface Measured {
  readonly name: string
  readonly call: Call
  readonly isCreate: boolean
  readonly calls: number
}

/** Rates that are wanted of calls. */
const RATES: Readonly<Record<string, Aim>> = {
  'B create': atLeast(1.15, 'aimock'),
  'B query': atLeast(1.4, 'aimock'),
}

/** A server, and how it is asked for the same as the emulator; undefined: it has nothing of the kind. */
interface Candidate {
  readonly server: Server
  readonly callFor: (measured: Measured) => Call | undefined
}

interface Turn extends Loaded {
  readonly requestsPerSecond: number
  readonly cpuUs: number
}

const create = (name: keyof typeof creates): Measured => ({
  name: `${name} create`,
  call: creates[name],
  isCreate: true,
  calls: name === 'E' ? E_CREATES : CALLS,
})

const query = (name: string, path: string): Measured => ({
  name,
  call: get(path),
  isCreate: false,
  calls: CALLS,
})

/** Makes tasks that end, and the calls that read them. The emulator loses them at the first create that is measured. */
const readsOf = async (url: string): Promise<Measured[]> => {
  await load(url, LISTED, wireOf(url, creates.B))
  const { id } = await ask<{ id: string }>(url, creates.B)
  const { task_id: unified } = await ask<{ task_id: string }>(url, creates.C)
  const { task_id: second } = await ask<{ task_id: string }>(url, creates.F)
  await waitForIdle(url)
  return [
    query('B query', `${TASKS}/${id}`),
    query('C query', `/v1/videos/${unified}`),
    query('F query', `/provC/v2/query/video_generation/${second}`),
    query('B list of 10', `${TASKS}?page_size=10`),
  ]
}

/** What aimock has that comes nearest: it knows neither callbacks of F nor lists, and takes B's path without its prefix. */
const aimockCall = async (url: string): Promise<Candidate['callFor']> => {
  const tasks = TASKS.replace('/provB', '')
  const { id } = await ask<{ id: string }>(url, { ...creates.B, path: tasks })
  await ask(url, { ...creates.E })
  const prompt = creates.E.body
  const calls: Record<string, Call> = {
    'A create': { method: 'POST', path: '/v1/images/generations', body: { ...prompt, size: '1024x1024' } },
    'B create': { ...creates.B, path: tasks },
    'C create': { ...creates.C, body: { ...creates.C.body, prompt: (prompt as { prompt: string }).prompt } },
    'E create': creates.E,
    'F create': { ...creates.F, path: tasks },
    'B query': get(`${tasks}/${id}`),
    'C query': get('/v1/videos/video-1'),
    'F query': get(`${tasks}/${id}`),
  }
  return ({ name }) => calls[name]
}

/** The yardsticks, each told what the emulator answers to each call. */
const startPeers = async (url: string, measured: readonly Measured[]): Promise<Record<string, Candidate>> => {
  // By a path of its own for each, since two families share one.
  const pathOf = ({ name, call }: Measured) => `/${name.replaceAll(' ', '-')}${call.path}`
  const answeredCalls = await Promise.all(
    measured.map(async (call) => ({
      ...call.call,
      name: call.name,
      path: pathOf(call),
      answer: await ask(url, call.call),
    })),
  )
  const names = {
    'node:http': 'http',
    Express: 'express',
    ...(hasPeers() && { Fastify: 'fastify', aimock: 'aimock' }),
  }
  const peers = Object.entries(names).map(async ([name, file]) => {
    const server = await startPeer(file, JSON.stringify(answeredCalls))
    const same = (call: Measured): Call => ({ ...call.call, path: pathOf(call) })
    return [name, { server, callFor: name === 'aimock' ? await aimockCall(server.url) : same }] as const
  })
  return Object.fromEntries(await Promise.all(peers))
}

/** Whether those yardsticks are installed that are no dependencies of the emulator. */
export const hasPeers = (): boolean => existsSync(new URL('./peers/node_modules', import.meta.url))

const turnOf = async ({ server, callFor }: Candidate, measured: Measured, isOurs: boolean): Promise<Turn> => {
  const call = callFor(measured) as Call
  const before = await server.usage()
  const loaded = await load(server.url, measured.calls, wireOf(server.url, call))
  const during = await server.usage()
  if (isOurs && measured.isCreate) await waitForIdle(server.url)
  const after = await server.usage()
  return {
    ...loaded,
    requestsPerSecond: (loaded.requests / (loaded.ms + after.cpuMs - during.cpuMs)) * 1_000,
    cpuUs: ((after.cpuMs - before.cpuMs) / loaded.requests) * 1_000,
  }
}

/** Creates, queries and a list of the emulator and of its yardsticks, by turns. */
export const rates = async (): Promise<Table[]> => {
  const ours = await startBacklot('--speed', SPEED)
  // Queries first, since creates begin with an account that holds nothing.
  const measured = [
    ...(await readsOf(ours.url)),
    create('A'),
    create('B'),
    create('C'),
    create('E'),
    create('F'),
  ]
  const peers = await startPeers(ours.url, measured)
  const candidates: Record<string, Candidate> = {
    [OURS]: { server: ours, callFor: ({ call }) => call },
    ...peers,
  }
  const turns: { measured: Measured; of: Readonly<Record<string, readonly Turn[]>> }[] = []
  for (const call of measured) {
    // Tasks of other calls are no part of these.
    if (call.isCreate) await control(ours.url, 'reset?all=true')
    const names = Object.keys(candidates).filter((name) => candidates[name]?.callFor(call))
    const turn = (name: string, calls: number) =>
      turnOf(candidates[name] as Candidate, { ...call, calls }, name === OURS)
    for (const name of names) await turn(name, call.calls * WARM_UP)
    const of = await byTurns(names, ROUNDS, (name) => turn(name, call.calls))
    turns.push({ measured: call, of })
  }
  await Promise.all(Object.values(candidates).map(({ server }) => server.stop()))
  const table = (
    title: string,
    unit: string,
    figure: keyof Turn,
    aimOf: (call: Measured) => Aim | undefined,
  ): Table => ({
    title,
    note: `Medians of ${ROUNDS} turns of ${CALLS.toLocaleString('en')} calls each (E: ${E_CREATES}), once each server has answered ${WARM_UP} times as many.`,
    rows: turns.map(({ measured: call, of }) => {
      const values = medians(of, (turn) => turn[figure])
      const aim = aimOf(call)
      return row(call.name, unit, values, ...(aim ? [aim] : []))
    }),
  })
  const isB = ({ name }: Measured) => name === 'B create' || name === 'B query'
  return [
    table('Requests a second', 'a second', 'requestsPerSecond', ({ name }) => RATES[name]),
    table('Processor time of a request', 'µs', 'cpuUs', () => undefined),
    table('Half of the answers came within', 'ms', 'p50', () => undefined),
    table('99 of 100 answers came within', 'ms', 'p99', (call) =>
      isB(call) ? atMost(1.5, { times: 'aimock' }) : undefined,
    ),
  ]
}
