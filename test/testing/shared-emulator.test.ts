import { once } from 'node:events'
import { createServer, request as passOn } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ClockReading, EmulatorSettings } from '../../src/index.js'
import { createTask } from './calls.js'

import { shared, used } from './used.js'

describe('an emulator of the whole run', () => {
  test('is used instead of one of the file, and not stopped', async () => {
    const { url, tasks } = await shared()
    const studied = used({}, { shared: { url } })
    expect(studied.emulator.url).toBe(url)
    await studied.file(() =>
      studied.run('one', async () => void (await createTask(url, studied.emulator.key))),
    )
    expect(await tasks.list()).toEqual([])
  })

  test('accounts begin anew, whatever a run that was interrupted has left on them', async () => {
    const { url } = await shared()
    const keys: string[] = []
    const begin = async () => {
      const { emulator, file, run } = used({}, { shared: { url } })
      await file(() =>
        run('one', async (test) => {
          for (const account of [emulator, await emulator.freshAccount({ test })]) {
            expect(await account.requests.list()).toEqual([])
            keys.push(account.key)
          }
        }),
      )
    }
    await begin()
    for (const key of keys) await createTask(url, key)
    await begin()
    expect(keys.slice(2)).toEqual(keys.slice(0, 2))
  })

  test('a test costs one call of the control API, at its end', async () => {
    const { url } = await shared()
    const seen: string[] = []
    const proxy = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      const passed = passOn(url + request.url, { method: request.method, headers: request.headers })
      passed.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      request.pipe(passed)
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void proxy.close())
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const { file, run } = used({}, { shared: { url: `http://127.0.0.1:${port}`, clock: 'on-poll' } })
    await file(async () => {
      for (const name of ['one', 'two']) await run(name, async () => {})
    })
    expect(seen).toEqual(['GET /_backlot/accounts', 'POST /_backlot/finish', 'POST /_backlot/finish'])
  })

  test('accounts of others are left alone', async () => {
    const emulator = await shared()
    const others = emulator.account('others')
    await createTask(emulator.url, others.key)
    const studied = used({}, { shared: { url: emulator.url } })
    await studied.file(() => studied.run('one', async () => {}))
    expect(await others.tasks.list()).toHaveLength(1)
  })

  test.each([
    // A live one runs until it is set.
    ['live', 'on-poll', expect.stringMatching(/^2026-01-01T/)],
    ['paused', 'paused', '2026-01-01T00:00:00.000Z'],
  ] as const)('with %s clocks gives tests %s ones', async (clock, mode, now) => {
    const { url } = await shared({ clock })
    const { emulator, file, run } = used({}, { shared: { url } })
    await file(() => run('one', async () => expect(await emulator.clock.read()).toMatchObject({ mode, now })))
  })

  test.each(['paused', 'on-poll'] as const)(
    'with live clocks, the %s ones that a file asks for begin as in an emulator of its own',
    async (clock) => {
      const begin = async (settings: EmulatorSettings) => {
        const { url } = await shared({ ...settings, clock: 'live' })
        const { emulator, file, run } = used({ clock }, { shared: { url } })
        const readings: ClockReading[] = []
        await file(() => run('one', async () => void readings.push(await emulator.clock.read())))
        return readings[0]?.now
      }
      expect(await begin({})).toMatch(/^2026-01-01T00:00:00/)
      expect(await begin({ startAt: '2027-05-06T07:08:09Z' })).toMatch(/^2027-05-06T07:08:09/)
    },
  )

  test('is not asked how its clocks go where that was said', async () => {
    const { url } = await shared({ clock: 'paused' })
    const { emulator, file, run } = used({}, { shared: { url, clock: 'live' } })
    await file(() => run('one', async () => expect((await emulator.clock.read()).mode).toBe('on-poll')))
  })

  test('an emulator with live clocks keeps them for an account that asks for one', async () => {
    const { url } = await shared({ clock: 'live' })
    const { emulator, file, run } = used({ clock: 'live' }, { shared: { url } })
    await file(() => run('one', async () => expect((await emulator.clock.read()).mode).toBe('live')))
  })

  test('gives each account what an account can have for itself', async () => {
    const { url } = await shared()
    const options = { clock: 'paused', balance: 3, tasksInFlight: 1 } as const
    const { emulator, file, run } = used(options, { shared: { url } })
    await file(() =>
      run('one', async () => {
        expect((await emulator.clock.read()).mode).toBe('paused')
        expect(await emulator.read()).toMatchObject({ balance: 3, limits: { tasksInFlight: 1 } })
      }),
    )
  })

  test('an account has them after a reset in the middle of its test too', async () => {
    const { url } = await shared({ clock: 'live' })
    const options = { balance: 3, scenario: 'busy-hour' } as const
    const { emulator, file, run } = used(options, { shared: { url } })
    await file(() =>
      run('one', async () => {
        await emulator.reset()
        expect((await emulator.clock.read()).mode).toBe('on-poll')
        expect(await emulator.read()).toMatchObject({ balance: 3 })
        expect(await emulator.scenario.steps()).not.toEqual([])
      }),
    )
  })

  test('leaves an account that behaves like a reserved key as this opens it', async () => {
    const { url } = await shared()
    const options = { balance: 3, imageQuota: 5, requestsPerMinute: 9, tasksInFlight: 2 }
    const { emulator, file, run } = used(options, { shared: { url } })
    await file(() =>
      run('one', async (test) => {
        const poor = await emulator.freshAccount({ test, like: 'no-balance' })
        const limits = { requestsPerMinute: 9, tasksInFlight: 2, imageQuota: 0 }
        expect(await poor.read()).toMatchObject({ balance: 0, limits })
        const limited = await emulator.freshAccount({ test, like: 'rate-limited' })
        expect(await limited.read()).toMatchObject({ balance: 3, limits: { requestsPerMinute: 0 } })
      }),
    )
  })

  test('settings that a shared emulator cannot apply are refused', async () => {
    const { url } = await shared()
    expect(() => used({ timing: 'instant', seed: 3 }, { shared: { url } })).toThrow(
      expect.objectContaining({ code: 'shared-server', message: expect.stringContaining('timing, seed') }),
    )
  })

  test('is left aside where the file wants one of its own, or another', async () => {
    const [{ url }, other] = [await shared(), await shared()]
    const own = used({ shared: false }, { shared: { url } })
    await own.file(async () => expect(own.emulator.url).not.toBe(url))
    expect(used({ url: other.url }, { shared: { url } }).emulator.url).toBe(other.url)
  })
})
