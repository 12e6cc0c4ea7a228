import { requestIdOf } from '../service/request-id.js'
import { type Comparing, compared, type Difference } from './diff.js'
import type { CallbackLine, CallLine, ControlLine, Placed, Recording } from './format.js'
import type { HttpClient, HttpResponse } from './http-client.js'
import { inOrder } from './parse.js'
import { areStoodIn, type BytesOf, replayRequestOf } from './request.js'
import { createSanitizer } from './sanitise.js'
import { platform } from './serialise.js'
import { createCallbackCheck, createReplaySessions, type ReplaySession } from './session.js'

/** Does something to an account by the name of an action of the control API. */
export type Do = (action: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>

/** An emulator that a recording is run against. */
export interface Target {
  readonly caller: HttpClient
  /** What absolute URLs of its answers begin with. */
  readonly origin: string
  /** Does things to the account of a key. */
  readonly as: (key: string) => Do
  /**
   * Whether it is this recording's alone: its account `default` can be played as itself, and its callbacks are answered
   * as they were.
   */
  readonly isOwn: boolean
  readonly bytesOf: BytesOf
}

/** A line whose outcome is not what it was. */
export interface ReplayMismatch {
  readonly place: Placed<CallLine | ControlLine | CallbackLine>
  readonly differences: readonly Difference[]
}

export interface Report {
  readonly calls: number
  readonly callbacks: number
  readonly differing: readonly ReplayMismatch[]
  /** Calls of which the status alone could be compared. */
  readonly halfCompared: number
}

const PATIENCE_MS = 60_000
/** How long to listen to what said nothing when it was recorded. */
const SILENCE_MS = 250

/**
 * Makes every call of a recording again, in order, each at its instant on its account's clock, and does between them
 * what was done to the accounts. Tells of each line whose outcome is another.
 */
export const replay = async (
  recording: Recording,
  target: Target,
  tell: (differing: ReplayMismatch) => void = () => {},
): Promise<Report> => {
  const { head, lines } = recording
  const players = createReplaySessions(recording, target)
  const callbacks = createCallbackCheck()
  const comparing: Comparing = {
    sanitizer: createSanitizer(),
    source: { origin: target.origin },
    areFilesAsLong: head.platform === platform && !areStoodIn(lines, target.bytesOf),
  }
  const differing: ReplayMismatch[] = []
  const note = (place: ReplayMismatch['place'], differences: readonly Difference[]) => {
    if (differences.length === 0) return
    differing.push({ place, differences })
    tell({ place, differences })
  }
  const checkCallbacks = async (player: ReplaySession) => {
    if (target.isOwn)
      for (const { place, differences } of await callbacks.check(player, comparing)) note(place, differences)
  }

  for (const { at, line } of inOrder(lines)) {
    if (line.kind === 'task') continue
    const player = players.of(line.account, at)
    if (line.kind === 'account') await player.open(line)
    else if (line.kind === 'call')
      note({ at, line }, await repeat(line, player, target, head.seed, comparing))
    else if (line.kind === 'control') note({ at, line }, await player.control(line))
    else if (line.kind === 'callback') callbacks.expect({ at, line })
    else {
      await checkCallbacks(player)
      await player.leave()
    }
  }
  for (const player of players.all) await checkCallbacks(player)
  const calls = lines.flatMap(({ line }) => (line.kind === 'call' ? [line] : []))
  return {
    calls: calls.length,
    callbacks: target.isOwn ? callbacks.count() : 0,
    differing,
    halfCompared: calls.filter(({ request }) => request.lost !== undefined).length,
  }
}

const repeat = async (
  line: CallLine,
  player: ReplaySession,
  target: Target,
  seed: number,
  comparing: Comparing,
): Promise<readonly Difference[]> => {
  await player.goTo(line.at)
  await player.countTo((count) => requestIdOf(seed, line.account, count) === line.id)
  const key = line.request.withoutKey === true ? undefined : player.key
  const patience = line.answer.broken === 'silent' ? SILENCE_MS : PATIENCE_MS
  const now = await target.caller.call(replayRequestOf(line.request, target), key, patience)
  return compared(line, target.isOwn || key !== undefined ? now : withId(now, line.id), comparing)
}

// Calls without a key are counted with those that others make without one.
const withId = (now: HttpResponse, id: string): HttpResponse => {
  const given = now.headers['x-request-id']
  if (given === undefined) return now
  return {
    ...now,
    headers: { ...now.headers, 'x-request-id': id },
    ...(now.text === undefined ? {} : { text: now.text.replaceAll(given, id) }),
  }
}
