import { chmod, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createHandles } from '../../src/emulator/client/handles.js'
import { localTransport } from '../../src/emulator/client/local-transport.js'
import { accountIdOf } from '../../src/emulator/core/account/account-id.js'
import { createEmulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings } from '../../src/emulator/settings.js'
import { connectEmulator } from '../../src/index.js'
import { stepsOf } from '../../src/recording/infer/failures.js'
import { sessionsIn } from '../../src/recording/infer/observed.js'
import { recordTo } from '../../src/recording/record.js'
import { recordedSettings } from '../../src/recording/serialise.js'
import { parseRecording } from '../../src/traffic/parse.js'
import { newFolder } from '../folder.js'
import { clientOf, KEY, openSession, paths, replayed, serve, text, videoTask } from './session.js'

describe('record to', () => {
  const open = async () => {
    const folder = newFolder()
    const file = join(folder, 'session.jsonl')
    const emulator = createEmulator(readSettings({ port: 0, clock: 'paused' }))
    const { url, close } = await listen(emulator)
    const { end } = await recordTo(emulator, file)
    onTestFinished(async () => {
      await close()
      await end()
    })
    const read = () => readFile(file, 'utf8')
    const kinds = async () => parseRecording(await read()).lines.map(({ line }) => line.kind)
    return {
      url,
      end,
      file,
      read,
      kinds,
      as: (key: string) => createHandles(key, localTransport(emulator, key), url),
    }
  }

  test('every line is there as soon as the call is answered', async () => {
    const { url, kinds } = await open()
    const client = clientOf(url)
    await client.post(paths.tasks, videoTask())
    expect(await kinds()).toEqual(['account', 'call'])
    await client.get('/nothing')
    expect(await kinds()).toEqual(['account', 'call', 'call'])
  })

  test('changes of accounts, failed tasks and callbacks stand between the calls', async () => {
    const { url, as, kinds, read } = await open()
    const { id } = (await clientOf(url).post(paths.tasks, videoTask())).body
    await as(KEY).tasks.fail(id, 'InternalServiceError')
    await clientOf(url).post(paths.second, {
      ...{ model: 'gamma-H3', content: [text()], duration: 5 },
      callback_url: as(KEY).inbox('hook').url,
    })
    await as(KEY).clock.advance({ to: 'idle' })
    await as(KEY).reset()
    expect(await kinds()).toEqual([
      'account',
      'call',
      'task',
      'control',
      'call',
      ...Array(4).fill('callback'),
      'control',
      'reset',
    ])
    expect((await replayed(await read())).mismatches).toEqual([])
  })

  test.each([
    ['a first status', { status: 'queued' }, ['queued']],
    ['a challenge, and what would have followed it', 'challenge', [null, 'queued', 'running', 'succeeded']],
  ] as const)(
    'a callback that is dropped as its task is made has its line: %s',
    async (_, callback, dropped) => {
      const { url, as, read } = await open()
      await as(KEY).scenario.play({
        name: 'dropped',
        description: 'A callback is lost.',
        steps: [{ when: { callback, nth: 1 }, then: { callback: { never: true } } }],
      })
      const callback_url = as(KEY).inbox('hook').url
      await clientOf(url).post(paths.second, {
        model: 'gamma-H3',
        content: [text()],
        duration: 5,
        callback_url,
      })
      await as(KEY).clock.advance({ to: 'idle' })
      const recording = parseRecording(await read())
      const lines = recording.lines.flatMap(({ line }) => (line.kind === 'callback' ? [line] : []))
      const skipped = lines.filter(({ state }) => state === 'skipped')
      expect(skipped.map(({ status }) => status ?? null)).toEqual(dropped)
      expect((await replayed(recording)).mismatches).toEqual([])
      const [{ session }] = sessionsIn(recording) as [ReturnType<typeof sessionsIn>[number]]
      expect(stepsOf(session).steps.map(({ when }) => when)).toEqual([
        { operation: 'f-video-v2.create', callback, nth: 1 },
      ])
    },
  )

  test('a task that failed has its error, one that expired has none, and others have no line', async () => {
    const { url, as, read } = await open()
    const ids = []
    for (let nth = 0; nth < 4; nth += 1)
      ids.push((await clientOf(url).post(paths.tasks, videoTask())).body.id)
    const [failed = '', expired = '', cancelled = ''] = ids
    await as(KEY).tasks.fail(failed, 'InternalServiceError')
    await as(KEY).tasks.force(expired, 'expired')
    await as(KEY).tasks.force(cancelled, 'cancelled')
    const lines = parseRecording(await read()).lines.flatMap(({ line }) =>
      line.kind === 'task' ? [line] : [],
    )
    expect(lines.map(({ id, state, error }) => [id, state, error])).toEqual([
      [failed, 'failed', 'InternalServiceError'],
      [expired, 'expired', undefined],
    ])
  })

  test('the files of uploads are kept beside it, by their hash', async () => {
    const { url, end, file, read } = await open()
    const png = await readFile(new URL('../../fixtures/media/square.png', import.meta.url))
    expect((await clientOf(url).upload('square.png', png)).status).toBe(200)
    await end()
    const [sha256] = /(?<="sha256":")[0-9a-f]{64}/.exec(await read()) ?? []
    expect(await readFile(`${file}.media/${sha256}`)).toEqual(png)
  })

  test('a call without a key says so', async () => {
    const { url, read } = await open()
    await clientOf(url, undefined).get(paths.tasks)
    await clientOf(url).get(paths.tasks)
    const lines = parseRecording(await read()).lines.flatMap(({ line }) =>
      line.kind === 'call' ? [line] : [],
    )
    expect(lines.map(({ request }) => request.withoutKey)).toEqual([true, undefined])
  })

  test('accounts that were reset are compared up to the reset and again after it', async () => {
    const { url, as, read } = await open()
    for (let round = 0; round < 2; round += 1) {
      await clientOf(url).post(paths.tasks, videoTask())
      await clientOf(url, 'other-key-1').post(paths.tasks, videoTask())
      await as(KEY).reset()
    }
    await clientOf(url).get(paths.tasks)
    const { calls, mismatches } = await replayed(await read())
    expect({ calls, mismatches }).toEqual({ calls: 5, mismatches: [] })
    expect(
      (await read()).match(new RegExp(`"kind":"account","account":"${accountIdOf(KEY)}"`, 'g')),
    ).toHaveLength(3)
  })

  test('a reset of an account that was never opened is no line', async () => {
    const { url, as, kinds, read } = await open()
    await as('no-call-yet').reset()
    await clientOf(url).post(paths.tasks, videoTask())
    expect(await kinds()).toEqual(['account', 'call'])
    expect((await replayed(await read())).mismatches).toEqual([])
  })

  test('receivers answer after a reset as they did after it, also where ids repeat', async () => {
    const { url, as, read } = await open()
    const statuses = [200, 200, 200, 500, 500]
    const receiver = await serve((_request, response) => response.writeHead(statuses.shift() ?? 200).end())
    for (let round = 0; round < 2; round += 1) {
      await clientOf(url).post(paths.tasks, { ...videoTask(), callback_url: `${receiver}/hook` })
      await as(KEY).clock.advance({ to: 'idle' })
      if (round === 0) await as(KEY).reset()
    }
    const { callbacks, mismatches } = await replayed(await read())
    expect({ callbacks, mismatches }).toEqual({ callbacks: 6, mismatches: [] })
  })

  test('a callback that a snapshot has between two attempts goes on where it was', async () => {
    const { url, as, read } = await open()
    const statuses = [500, 200, 200, 200, 500]
    const receiver = await serve((_request, response) => response.writeHead(statuses.shift() ?? 200).end())
    await clientOf(url).post(paths.tasks, { ...videoTask(), callback_url: `${receiver}/hook` })
    await as(KEY).clock.advance(0)
    const snapshot = await as(KEY).snapshot()
    for (let round = 0; round < 2; round += 1) {
      await as(KEY).clock.advance({ to: 'idle' })
      if (round === 0) await as(KEY).restore(snapshot)
    }
    const { callbacks, mismatches } = await replayed(await read())
    expect({ callbacks, mismatches }).toEqual({ callbacks: 6, mismatches: [] })
  })

  test('a file that was cut off in the middle of a line is read up to there', async () => {
    const { url, read } = await open()
    await clientOf(url).post(paths.tasks, videoTask())
    await clientOf(url).get('/nothing')
    const whole = await read()
    const recording = parseRecording(whole.slice(0, -40))
    expect(recording.isCut).toBe(true)
    expect((await replayed(recording)).calls).toBe(1)
  })

  test('a file that is truncated meanwhile goes on with the next line', async () => {
    const { url, file, read } = await open()
    await truncate(file)
    await clientOf(url).get('/nothing')
    expect((await read()).split('\n').map((line) => line && JSON.parse(line).kind)).toEqual([
      'account',
      'call',
      '',
    ])
  })

  test('nothing is written once it has ended', async () => {
    const { url, end, read } = await open()
    await end()
    await clientOf(url).get('/nothing')
    expect((await read()).trim().split('\n')).toHaveLength(1)
  })

  test.skipIf(process.platform === 'win32')('others cannot read it', async () => {
    const { file } = await open()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('a file that cannot be written is an error that says so', async () => {
    const emulator = createEmulator(readSettings({ port: 0 }))
    onTestFinished(() => emulator.stop())
    await expect(recordTo(emulator, '/no/such/folder/x.jsonl')).rejects.toThrowError(
      expect.objectContaining({
        code: 'cannot-record',
        sentence: 'The recording cannot be written to /no/such/folder/x.jsonl: its folder is not there.',
      }),
    )
  })
})

describe('saved', () => {
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
      const folder = newFolder()
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

    test.skipIf(process.platform === 'win32')('others cannot read it, unless they could before', async () => {
      const { emulator } = await twoAccounts()
      const path = await file()
      await emulator.requests.save(path)
      expect((await stat(path)).mode & 0o777).toBe(0o600)
      await chmod(path, 0o644)
      await emulator.requests.save(path)
      expect((await stat(path)).mode & 0o777).toBe(0o644)
    })
  })

  test('settings that say where an emulator is, or open something, are not recorded', () => {
    const names = Object.keys(
      recordedSettings(
        readSettings({
          ...{ controlToken: 'secret', mediaFolder: '/home/me' },
          store: 'redis://user:secret@store.test',
        }),
      ),
    )
    expect(names).toEqual(expect.arrayContaining(['timing', 'strict', 'balance', 'moderationWords']))
    for (const name of names)
      expect(name).not.toMatch(
        /token|key|secret|host|(?<!^metadata)url|port|folder|(?<!pro)file|path|store|^seed$/i,
      )
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
})

describe('secrets', () => {
  const fixture = (name: string) => readFile(new URL(`../../fixtures/media/${name}`, import.meta.url))

  const secrets = {
    inBody: KEY,
    ofReceiver: 'receiver-password',
    ofReceiversQuery: 'receiver-token',
    ofMedium: 'medium-signature',
    ofCookie: 'cookie-secret',
    ofQuery: 'query-secret',
    ofFragment: 'fragment-secret',
  }

  const recorded = async (): Promise<string> => {
    const { emulator, client, saved } = await openSession({ callbackHosts: ['*'], fetchMedia: 'none' })
    const base64 = (await fixture('square.png')).toString('base64')
    await client.post(paths.second, {
      ...{ model: 'gamma-H3', content: [text()], duration: 5 },
      callback_url: `http://user:${secrets.ofReceiver}@127.0.0.1:9/hook?token=${secrets.ofReceiversQuery}`,
    })
    for (const url of [
      `https://media.example.test/cat.png?X-Signature=${secrets.ofMedium}#${secrets.ofFragment}`,
      `data:image/png;base64,${base64}`,
      base64,
    ])
      await client.post(
        paths.tasks,
        videoTask({ content: [text(), { type: 'image_url', image_url: { url } }] }),
      )
    await client.post(paths.tasks, videoTask({ api_key: KEY, model: `data:x;base64,${base64}` }))
    await client.post(paths.tasks, `{"key": "${KEY}", "image": "data:image/png;base64,${base64}`)
    await client.get(`/no/such?url=https://x.test/?k=${secrets.ofQuery}`, { cookie: secrets.ofCookie })
    await client.upload(`square-${KEY}.png`, await fixture('square.png'), { group_id: KEY })
    await emulator.account(KEY).scenario.play({
      ...{ name: 'mine', says: 'One account is refused.' },
      steps: [{ when: { account: KEY, operation: 'b-video-task.list' }, then: { answer: { status: 418 } } }],
    })
    await client.get(paths.tasks)
    return saved()
  }

  test('a recording holds no key, no other secret and no Base64', async () => {
    const recording = await recorded()
    for (const secret of Object.values(secrets)) expect(recording).not.toContain(secret)
    // Hashes have 64 letters.
    expect(recording.match(/[A-Za-z0-9+/]{65,}/g)).toBeNull()
  })

  test('a replay of a recording without its secrets gives the same answers', async () => {
    const report = await replayed(await recorded())
    expect(report.mismatches).toEqual([])
    expect(report.calls).toBe(9)
  })
})
