import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTarget } from '../test/hostile/target.js'
import { runLane } from './fuzz/lane.js'
import type { FuzzRequest } from './fuzz/request.js'
import { type Part, say } from './part.js'

const REQUESTS = 100_000
const LANES = 8
const MOST_TOLD = 20

/** Requests of every kind that was thought of, and none may end in a 500 or without an answer. */
export const fuzz: Part = async ({ seed, times = REQUESTS }) => {
  const mediaFolder = await mkdtemp(join(tmpdir(), 'backlot-fuzz-'))
  // Bounds that are reached many times over; on a clock that moves as it is looked at, so that tasks end too.
  const target = await openTarget({
    clock: 'on-poll',
    mediaFolder,
    journalEntries: 50,
    callbackLogEntries: 50,
  })
  const begun = performance.now()
  const byStatus = new Map<string, number>()
  const failures: string[] = []
  let done = 0

  const tell = (
    { status, failure }: { status: number; failure?: string | undefined },
    asked: FuzzRequest,
  ) => {
    done += 1
    const name = status === 0 ? (failure === undefined ? 'not sent' : 'no answer') : String(status)
    byStatus.set(name, (byStatus.get(name) ?? 0) + 1)
    const told = failure ?? target.bugs.at(-1)
    if (told !== undefined && failures.length < MOST_TOLD)
      failures.push(`${shown(asked)}\n    ${textOf(told)}`)
    if (target.bugs.length > 0) target.clearBugs()
    if (done % 10_000 === 0) say(`  ${done} requests`)
  }

  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      runLane({
        port: target.port,
        key: `fuzz-${lane}`,
        // Far enough from each other that no lane draws what another one does.
        seed: seed + lane * 1_000_003,
        requests: Math.ceil(times / LANES),
        tell,
      }),
    ),
  )
  await target.close()
  await rm(mediaFolder, { recursive: true, force: true })
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
  return { line: `${done} requests in ${seconds} s, seed ${seed}: ${counted(byStatus)}`, failures }
}

const counted = (byStatus: ReadonlyMap<string, number>): string =>
  [...byStatus]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${status} ${count}x`)
    .join(', ')

const shown = ({ method, path, headers, body }: FuzzRequest): string =>
  `${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${String(body ?? '').slice(0, 1_500)}`

const textOf = (trouble: unknown): string =>
  trouble instanceof Error
    ? (trouble.stack ?? trouble.message).split('\n').slice(0, 6).join('\n    ')
    : String(trouble)
