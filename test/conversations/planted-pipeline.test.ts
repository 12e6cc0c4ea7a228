import { expect, test } from 'vitest'
import type { FindingKind } from '../../src/emulator/core/verdict/kinds.js'
import type { ScenarioName } from '../../src/generated/names.js'
import { startOnPort } from '../emulator.js'

interface Planted {
  /** Creates again after a lost answer; otherwise it looks in the list. */
  readonly createsBlindly?: boolean
  /** Ignores Retry-After. */
  readonly hurries?: boolean
  /** Keeps what it has of a download that breaks off. */
  readonly keepsDamaged?: boolean
  /** Queries that many times after the end. */
  readonly furtherPolls?: number
  /** Downloads again for each callback of a success. */
  readonly fetchesByCallback?: boolean
}

/** A pipeline: orders a video in family B, polls for it, downloads it, and once more for each callback where that is planted. */
const runPipeline = async (
  { create, list, query, pause, inbox }: Awaited<ReturnType<typeof startOnPort>>,
  { createsBlindly, hurries, keepsDamaged, furtherPolls = 0, fetchesByCallback }: Planted,
): Promise<void> => {
  const order = { resolution: '480p', duration: 4, callback_url: inbox('hook').url }
  const place = async (): Promise<string> => {
    const answer = await create(order).catch(() => undefined)
    if (answer === undefined) return createsBlindly ? place() : (await list()).body.items[0].id
    if (answer.status !== 429) return answer.body.id
    await pause(hurries ? 1 : Number(answer.headers.get('retry-after')) * 1_000)
    return place()
  }
  const download = async (url: string): Promise<void> => {
    const bytes = await fetch(url)
      .then((response) => response.arrayBuffer())
      .catch(() => undefined)
    if (bytes === undefined && !keepsDamaged) await download(url)
  }
  const id = await place()
  let { body } = await query(id)
  while (body.status !== 'succeeded') {
    await pause(5_000)
    body = (await query(id)).body
  }
  await download(body.content.video_url)
  for (let poll = 0; poll < furtherPolls; poll += 1) await query(id)
  const ends = (await inbox('hook').list()).filter(
    ({ body }) => (body as { status?: string }).status === 'succeeded',
  )
  if (fetchesByCallback) for (const _ of ends) await download(body.content.video_url)
}

test.each<[ScenarioName | '', Planted, FindingKind]>([
  ['reset-after-create', { createsBlindly: true }, 'ordered-twice'],
  ['result-cut', { keepsDamaged: true }, 'kept-damaged-file'],
  ['rate-limit-burst', { hurries: true }, 'did-not-wait'],
  ['', { furtherPolls: 5 }, 'polled-on'],
  ['callback-twice', { fetchesByCallback: true }, 'fetched-twice'],
])(
  'under %j the verdict alone finds %j, and nothing in the pipeline without it',
  async (scenario, planted, kind) => {
    const kindsOf = async (faults: Planted) => {
      const started = await startOnPort()
      if (scenario !== '') await started.scenario.play(scenario)
      await runPipeline(started, faults)
      return (await started.verdict()).map(({ kind }) => kind)
    }
    expect(await kindsOf(planted)).toContain(kind)
    expect(await kindsOf({})).toEqual([])
  },
)
