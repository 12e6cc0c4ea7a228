import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTarget } from '../test/hostile/target.js'
import { runLane } from './fuzz/lane.js'
import type { FuzzRequest } from './fuzz/request.js'
import { type Part, say } from './part.js'

const REQUESTS = 100_000
const LANES = 8
const MAX_REPORTED = 20

/** Random requests of every kind: none may end in a 500 or without an answer. */
export const fuzz: Part = async ({ seed, times = REQUESTS }) => {
  const mediaFolder = await mkdtemp(join(tmpdir(), 'backlot-fuzz-'))
  // Small quotas, which are reached many times; on-poll clocks, so that tasks end too.
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

  const report = (
    { status, failure }: { status: number; failure?: string | undefined },
    asked: FuzzRequest,
  ) => {
    done += 1
    const name = status === 0 ? (failure === undefined ? 'not sent' : 'no answer') : String(status)
    byStatus.set(name, (byStatus.get(name) ?? 0) + 1)
    const problem = failure ?? target.bugs.at(-1)
    if (problem !== undefined && failures.length < MAX_REPORTED)
      failures.push(`${shown(asked)}\n    ${textOf(problem)}`)
    if (target.bugs.length > 0) target.clearBugs()
    if (done % 10_000 === 0) say(`  ${done} requests`)
  }

  await Promise.all(
    Array.from({ length: LANES }, (_, lane) =>
      runLane({
        port: target.port,
        key: `fuzz-${lane}`,
        // Far enough from each other that no lane sends what another one does.
        seed: seed + lane * 1_000_003,
        requests: Math.ceil(times / LANES),
        report,
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

const textOf = (problem: unknown): string =>
  problem instanceof Error
    ? (problem.stack ?? problem.message).split('\n').slice(0, 6).join('\n    ')
    : String(problem)
