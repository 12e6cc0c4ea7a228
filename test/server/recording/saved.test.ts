import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accountIdOf } from '../../../src/core/account/tag.js'
import { readSettings } from '../../../src/core/read-settings.js'
import { parseRecording } from '../../../src/core/recording/parse.js'
import { recordedSettings } from '../../../src/core/recording/settings.js'
import { connectEmulator } from '../../../src/index.js'
import { KEY, openSession, paths, videoTask } from './session.js'

const accountsIn = (recording: string): string[] =>
  parseRecording(recording).lines.flatMap(({ line }) => (line.kind === 'account' ? [line.account] : []))

const twoAccounts = async () => {
  const session = await openSession()
  await session.client.post(paths.tasks, videoTask())
  await session.as('other-key-1').post(paths.tasks, videoTask())
  return session
}

describe('over HTTP', () => {
  const fetched = async (query: string, key?: string) => {
    const { emulator } = await twoAccounts()
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const response = await fetch(`${emulator.url}/_backlot/requests?${query}`, { headers })
    return {
      type: response.headers.get('content-type'),
      status: response.status,
      text: await response.text(),
    }
  }

  test('the journal of one account', async () => {
    const { type, text } = await fetched('format=replay', KEY)
    expect(type).toContain('application/x-ndjson')
    expect(accountsIn(text)).toEqual([accountIdOf(KEY)])
  })

  test('of all accounts', async () =>
    expect(accountsIn((await fetched('format=replay&all')).text)).toEqual([
      accountIdOf(KEY),
      accountIdOf('other-key-1'),
    ]))

  test.each(['format=har', 'format=replay&limit=1'])('%s is refused', async (query) =>
    expect((await fetched(query)).status).toBe(400),
  )
})

describe('from code', () => {
  const file = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backlot-recording-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return join(folder, 'saved.jsonl')
  }

  test.each(['in this process', 'elsewhere'])('of an emulator %s', async (where) => {
    const { emulator } = await twoAccounts()
    const handles = where === 'elsewhere' ? connectEmulator(emulator.url) : emulator
    const path = await file()
    await handles.requests.save(path)
    expect(accountsIn(await readFile(path, 'utf8'))).toHaveLength(2)
    await handles.account(KEY).requests.save(path)
    expect(accountsIn(await readFile(path, 'utf8'))).toEqual([accountIdOf(KEY)])
  })
})

test('settings that say where an emulator is, or open something, are left out', () => {
  const names = Object.keys(
    recordedSettings(readSettings({ controlToken: 'secret', mediaFolder: '/home/me' })),
  )
  expect(names).toEqual(expect.arrayContaining(['timing', 'strict', 'balance', 'moderationWords']))
  for (const name of names)
    expect(name).not.toMatch(/token|key|secret|host|url|port|folder|file|path|^seed$/i)
})

describe('what a replay needs of the control API', () => {
  test('a clock begins elsewhere as long as its account has not been called', async () => {
    const { client, emulator } = await openSession({ clock: 'paused' })
    const { clock } = emulator.account(KEY)
    expect((await clock.change({ now: '2027-01-02T03:04:05Z' })).now).toBe('2027-01-02T03:04:05.000Z')
    await client.get('/nothing')
    await expect(clock.change({ now: '2028-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'clock-has-run',
    })
    expect((await clock.read()).now).toBe('2027-01-02T03:04:05.000Z')
  })

  test('request ids go on from the number that is said', async () => {
    const ids = async (requests: number) => {
      const { emulator } = await openSession()
      await emulator.account(KEY).change({ requests })
      const answer = () => fetch(`${emulator.url}/x`, { headers: { authorization: KEY } })
      return [(await answer()).headers.get('x-request-id'), (await answer()).headers.get('x-request-id')]
    }
    const [first, second] = [await ids(0), await ids(1)]
    expect(second[0]).toBe(first[1])
  })
})
