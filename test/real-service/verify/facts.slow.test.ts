import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmulator } from '../../../src/index.js'
import { joinCoverage, readCoverage } from '../../../src/resilience/coverage/join.js'
import { terminalText } from '../../../src/resilience/coverage/render.js'
import { backlot, ended, endedHere } from '../../cli/backlot.js'
import { bodies, paths, type StartedEmulator, startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

const KEY = 'real-api-key-1234'
const MINUTES = 300_000
const today = () => new Date().toISOString().slice(0, 10)

/** An emulator in place of the real service. */
const service = async (settings: Parameters<typeof startEmulator>[0] = {}): Promise<string> => {
  const emulator = await startEmulator({ clock: 'on-poll', ...settings })
  onTestFinished(() => emulator.stop())
  return emulator.url
}

const argumentsFor = (target: string, folder: string) => [
  ...['verify', '--target', target, '--key-env', 'SERVICE_KEY'],
  ...['--creates-file', join(folder, 'creates.jsonl')],
]

const verify = (target: string, folder: string, ...args: string[]) => {
  vi.stubEnv('SERVICE_KEY', KEY)
  const file = join(folder, 'seen.json')
  return endedHere([...argumentsFor(target, folder), '--verified', file, ...args])
}

/** What `explain` says of the answer to a call, as to the real service. */
const seenOf = async ({ get }: StartedEmulator, requestId: string): Promise<string[]> =>
  (await get(`/_backlot/requests/${requestId}`)).body.reasons
    .filter(({ about }: { about: string }) => about === 'verified')
    .map(({ says }: { says: string }) => says)

const gapOf = async ({ get }: StartedEmulator, id: string) =>
  (await get('/_backlot/gaps')).body.items.find((gap: { id: string }) => gap.id === id)

test(
  'what a service was seen to answer is said by explain, gaps and coverage, and nothing else is',
  async () => {
    const folder = newFolder()
    const target = await service()
    const { code, err } = await verify(target, folder, '--tier', 'creates')
    expect(code).toBe(0)
    expect(err).toMatch(/\d+ answers noted in .*seen\.json: \d+ the same, 0 differ\./)

    const written = readFileSync(join(folder, 'seen.json'), 'utf8')
    for (const secret of [KEY, target, '127.0.0.1', 'cgt-', 'lighthouse', '://'])
      expect(written).not.toContain(secret)

    const started = await startOnPort({ verified: join(folder, 'seen.json') })
    const end = joinCoverage(started.emulator, join(folder, 'coverage'))
    const refused = await started.ask('POST', paths.tasks, { content: bodies.task().content })
    expect(await seenOf(started, refused.requestId)).toEqual([
      `Seen on ${today()}: the real service answers so too (asked: a task without a model).`,
    ])
    const { requestId, body } = await started.create()
    expect((await seenOf(started, requestId)).join()).toContain('asked: the cheapest create of b-video-task')
    await started.clock.advance({ to: 'idle' })
    const queried = await started.query(body.id)
    expect((await seenOf(started, queried.requestId)).join()).toContain('a query of the task of b-video-task')
    // No call had a seed that there is not.
    const other = await started.create({ seed: -7 })
    expect(await seenOf(started, other.requestId)).toEqual([])

    expect(await gapOf(started, 'B8')).toMatchObject({ verified: { verdict: 'same', on: today() } })
    expect((await gapOf(started, 'Z3')).verified).toBeNull()
    end()
    const text = terminalText(readCoverage(join(folder, 'coverage')))
    expect(text).toMatch(new RegExp(`B8 +seen on ${today()} +Refusals`))
  },
  MINUTES,
)

test(
  'an answer that differs is not seen, until it is compared with the profile that says it',
  async () => {
    const folder = newFolder()
    const target = await service({
      profile: { errors: { 'b-video-task': { MissingParameter: { code: 'Missing' } } } },
    })
    const mine = join(folder, 'mine.yaml')
    expect((await verify(target, folder, '--write-profile', mine)).code).toBe(1)
    const verified = join(folder, 'seen.json')
    const without = await startOnPort({ verified })
    const refused = await without.ask('POST', paths.tasks, { content: bodies.task().content })
    expect(await seenOf(without, refused.requestId)).toEqual([
      expect.stringMatching(
        /^Seen on .*: the real service answers otherwise \(asked: a task without a model\)/,
      ),
    ])
    expect((await gapOf(without, 'B8')).verified).toMatchObject({ verdict: 'differs' })

    expect((await verify(target, folder, '--profile', mine)).code).toBe(0)
    const withProfile = await startOnPort({ verified, profile: [mine] })
    const same = await withProfile.ask('POST', paths.tasks, { content: bodies.task().content })
    expect((await seenOf(withProfile, same.requestId)).join()).toContain('answers so too')
    expect((await gapOf(withProfile, 'B8')).verified).toMatchObject({ verdict: 'same' })
    // An emulator without the profile does not answer what was seen.
    const still = await startOnPort({ verified })
    const refusedStill = await still.ask('POST', paths.tasks, { content: bodies.task().content })
    expect(await seenOf(still, refusedStill.requestId)).toEqual([])
  },
  MINUTES,
)

test(
  'another host is told of, and what is no service notes nothing',
  async () => {
    const folder = newFolder()
    const first = await verify(await service(), folder)
    expect(first.err).not.toContain('another host')
    const second = await verify(await service(), folder)
    expect(second.err).toContain('has answers of another host too')
    const before = readFileSync(join(folder, 'seen.json'), 'utf8')
    const { out } = await verify(`${await service()}/elsewhere`, folder)
    expect(out).toContain('the target may not be the service')
    expect(readFileSync(join(folder, 'seen.json'), 'utf8')).toBe(before)
  },
  MINUTES,
)

test(
  'without an option the file is that of the working folder, and none writes none',
  async () => {
    const folder = newFolder()
    const target = await service()
    const environment = { SERVICE_KEY: KEY }
    const none = await ended([...argumentsFor(target, folder), '--verified', 'none'], { folder, environment })
    expect(none.err).not.toContain('noted')
    expect(existsSync(join(folder, 'backlot.verified.json'))).toBe(false)
    const { err } = await ended(argumentsFor(target, folder), { folder, environment })
    expect(err).toContain('noted in backlot.verified.json')

    const shown = backlot(['start', '--port', '0'], { folder })
    expect(await shown.line((line) => line.includes('real service'))).toBe(
      'What the real service was seen to answer is in backlot.verified.json.',
    )
    const running = backlot(['start', '--port', '0', '--json'], { folder })
    const { url } = JSON.parse(await running.line())
    const { items } = (await (await fetch(`${url}/_backlot/gaps`)).json()) as {
      items: { id: string; verified: unknown }[]
    }
    expect(items.find(({ id }) => id === 'B8')?.verified).toMatchObject({ verdict: 'same' })
  },
  MINUTES,
)

test('a file that cannot be used ends the run before anything is asked', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'seen.json'), '{}')
  const { code, out, err } = await verify('http://127.0.0.1:1', folder)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/The verified facts in .*seen\.json cannot be used: format is required/)
  expect(readFileSync(join(folder, 'seen.json'), 'utf8')).toBe('{}')
})
