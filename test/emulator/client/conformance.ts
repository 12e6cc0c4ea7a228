import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  type AccountHandles,
  EmulatorError,
  type EmulatorHandles,
  type EmulatorSettings,
  type OperationName,
  type RuleId,
  type ScenarioFile,
  type ScenarioName,
  type TaskFamilyName,
} from '../../../src/index.js'
import type { Duration } from '../../../src/testing/node-test.js'
import { clientOf } from '../../emulator.js'
import { newFolder } from '../../folder.js'

/** Opens the handles of an emulator that lasts as long as the test. */
export type Open = (settings?: EmulatorSettings) => Promise<EmulatorHandles>

/** What handles promise, wherever the emulator runs. */
export const handlesKeepTheirPromises = (open: Open): void => {
  const openAccount = async (settings: EmulatorSettings = {}) => {
    const emulator = await open({ clock: 'paused', ...settings })
    const account = emulator.account('handles-key')
    return { emulator, account, ...clientOf(emulator.url, account.key) }
  }

  const errorOf = async (doing: Promise<unknown>): Promise<EmulatorError> => {
    const error = await doing.then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(EmulatorError)
    return error
  }

  test('the clock is read, moved in every way and changed', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    expect(await account.clock.read()).toMatchObject({
      now: '2026-01-01T00:00:00.000Z',
      mode: 'paused',
      speed: 1,
    })
    expect((await account.clock.advance({ to: 'next' })).happened).toMatchObject([{ id, detail: 'running' }])
    expect((await account.clock.advance({ to: 'idle' })).happened).toMatchObject([
      { id, detail: 'succeeded' },
    ])
    expect((await account.clock.advance({ to: new Date('2026-01-02T00:00:00Z') })).now).toBe(
      '2026-01-02T00:00:00.000Z',
    )
    expect((await account.clock.advance('1h30m')).now).toBe('2026-01-02T01:30:00.000Z')
    expect((await account.clock.advance(500)).now).toBe('2026-01-02T01:30:00.500Z')
    await createB()
    await account.clock.advance({ to: 'idle' })
    const expired = await account.clock.advance({ to: 'next-expiry' })
    expect(expired.ended.urls.at(-1)).toMatchObject({ index: 0, at: expired.now })
    for (const by of ['next', 'idle', '2026-01-03T00:00:00Z'])
      expect(await errorOf(account.clock.advance(by as Duration))).toMatchObject({
        code: 'bad-duration',
        hint: `A place to move to is given as { to: '${by}' }.`,
      })
    expect(await account.clock.change({ mode: 'live', speed: 60 })).toMatchObject({ mode: 'live', speed: 60 })
  })

  test('an account is again as it was when a snapshot was taken, as often as it takes', async () => {
    const { account, createB, statusOfB } = await openAccount()
    await account.scenario.play({
      name: 'second-create',
      says: 'the second create fails',
      steps: [
        {
          when: { operation: 'b-video-task.create', nth: 2 },
          then: { answer: { error: 'ServerOverloaded' } },
        },
      ],
    })
    const id = await createB()
    const snapshot = await account.snapshot()
    expect(snapshot).toMatchObject({ accounts: 1, tasks: 1 })
    const { now } = await account.clock.read()
    for (const _ of [1, 2]) {
      expect(await createB()).toBeUndefined()
      const another = await createB()
      await account.clock.advance({ to: 'idle' })
      expect(await statusOfB(id)).toBe('succeeded')
      await account.restore(snapshot)
      expect((await account.clock.read()).now).toBe(now)
      expect(await statusOfB(id)).toBe('queued')
      expect((await account.tasks.list()).map((task) => task.id)).toEqual([id])
      expect((await account.requests.list()).map(({ operation }) => operation)).toEqual(['b-video-task.read'])
      expect(await account.scenario.steps()).toMatchObject([{ seen: 1, acted: 0 }])
      expect((await account.read()).balance).toBe(1_000_000)
      expect(another).not.toBe(id)
    }
  })

  test('a snapshot of the emulator is of all accounts; those that came later are gone', async () => {
    const { emulator, account, createB } = await openAccount()
    const id = await createB()
    const snapshot = await emulator.snapshot()
    const late = emulator.account('late-key')
    await clientOf(emulator.url, late.key).createB()
    await account.clock.advance({ to: 'idle' })
    await emulator.restore(snapshot)
    expect(await late.tasks.list()).toEqual([])
    expect(await account.tasks.get(id)).toMatchObject({ status: 'queued' })
  })

  test('a snapshot is restored as what it was taken, and the oldest go', async () => {
    const { emulator, account } = await openAccount({ maxSnapshots: 1 })
    const snapshot = await account.snapshot()
    expect((await errorOf(emulator.account('another').restore(snapshot))).code).toBe('other-snapshot')
    expect((await errorOf(emulator.restore(snapshot))).code).toBe('other-snapshot')
    await account.snapshot()
    const { code, hint } = await errorOf(account.restore(snapshot))
    expect(code).toBe('unknown-snapshot')
    expect(hint).toContain('maxSnapshots')
  })

  test('tasks are listed newest first, filtered and paged', async () => {
    const { account, createB, createF } = await openAccount()
    const [first, second] = [await createB(), await createF()]
    expect((await account.tasks.list()).map(({ id }) => id)).toEqual([second, first])
    expect((await account.tasks.list({ family: 'b-video-task' })).map(({ id }) => id)).toEqual([first])
    expect(await account.tasks.list({ status: 'succeeded' })).toEqual([])
    expect((await account.tasks.list({ limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([first])
  })

  test('names and options that there are not are refused, and not passed over', async () => {
    const { account } = await openAccount()
    const crate = { operation: 'b-video-task.crate' as OperationName }
    const unknown = 'There is no operation "b-video-task.crate": did you mean b-video-task.create?'
    expect((await errorOf(account.requests.list(crate))).message).toContain(unknown)
    const waited = await errorOf(account.requests.waitFor(crate, { timeout: '1h' }))
    expect([waited.code, waited.message]).toEqual(['unknown-operation', expect.stringContaining(unknown)])
    for (const family of ['b-video', 'd-assets'] as string[] as TaskFamilyName[])
      expect((await errorOf(account.tasks.list({ family }))).code).toBe('unknown-family')
    expect(await account.tasks.list({ family: 'a2-image' })).toEqual([])
    expect((await errorOf(account.requests.list({ problem: 'a-imge' as RuleId }))).code).toBe('unknown-rule')
    const misspelt: object = { cuont: 2, timout: '1h', statsu: 200 }
    const doings = [
      () => account.requests.list(misspelt),
      () => account.requests.waitFor({}, misspelt),
      () => account.callbacks.waitFor({}, misspelt),
      () => account.inbox('box').waitFor(misspelt),
      () => account.tasks.waitFor('1', 'queued', misspelt),
      () => account.tasks.list(misspelt),
      () => account.idle(misspelt),
    ]
    for (const doing of doings) {
      const { code, message } = await errorOf(doing())
      expect([code, message]).toEqual(['bad-input', expect.stringContaining('there is no key "cuont" here')])
    }
  })

  test('the stack of an error begins at the line that called, and has the message', async () => {
    const { emulator, account } = await openAccount()
    for (const doing of [
      () => account.tasks.get('none'),
      () => account.tasks.waitFor('none', 'failed', { timeout: 1 }),
      () => account.clock.advance('never' as Duration),
      () => emulator.restore({ id: 'none' }),
    ]) {
      const { stack, message } = await errorOf(doing())
      expect(stack?.startsWith(`EmulatorError: ${message}\n`)).toBe(true)
      expect(stack?.slice(String(stack).indexOf('\n    at '))).toMatch(/^\n +at .*conformance\.ts/)
    }
  })

  test('a task is shown with its whole timeline', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    const { timeline, ...task } = await account.tasks.get(id)
    expect(task).toMatchObject({
      id,
      family: 'b-video-task',
      status: 'queued',
      progress: 0,
      callbackUrl: null,
    })
    expect(timeline.map(({ status }) => status)).toEqual(['queued', 'running', 'succeeded'])
    expect(timeline.at(-1)).toMatchObject({ media: 1 })
  })

  test('a task is forced, and failed with an error of its family', async () => {
    const { account, createB, statusOfB } = await openAccount()
    const [one, other] = [await createB(), await createB()]
    expect((await account.tasks.force(one, 'cancelled')).status).toBe('cancelled')
    await account.tasks.fail(other, 'InternalServiceError')
    expect(await Promise.all([statusOfB(one), statusOfB(other)])).toEqual(['cancelled', 'failed'])
  })

  test('calls are listed newest first, filtered, read and explained', async () => {
    const { account, createB, createImage } = await openAccount()
    await createB()
    const { requestId } = await createImage({ size: '100*100' })
    expect((await account.requests.list()).map(({ operation }) => operation)).toEqual([
      'a-image.create',
      'b-video-task.create',
    ])
    expect(await account.requests.list({ operation: 'b-video-task.*', status: 200 })).toHaveLength(1)
    expect(await account.requests.list({ problem: 'any', path: 'generation' })).toMatchObject([
      { id: requestId },
    ])
    expect(await account.requests.count()).toEqual({ total: 2, evicted: 0 })
    expect(await account.requests.inFlight()).toEqual([])
    expect(await account.requests.count({ operation: 'a-image.*' })).toEqual({ total: 1, evicted: 0 })
    const entry = await account.requests.get(requestId)
    expect(entry).toMatchObject({ status: 400, refusedBy: [{ rule: 'a-image.size-area' }], task: null })
    expect(await account.requests.explain(requestId)).toEqual(entry.explanation)
  })

  test('calls are saved as a recording, of the account or of all', async () => {
    const { emulator, account, createB } = await openAccount()
    const other = emulator.account('other-key')
    await Promise.all([createB(), clientOf(emulator.url, other.key).createB()])
    const folder = newFolder()
    const [one, all] = [join(folder, 'one.jsonl'), join(folder, 'all.jsonl')]
    await account.requests.save(one)
    await emulator.requests.save(all)
    const [few, many] = await Promise.all([readFile(one, 'utf8'), readFile(all, 'utf8')])
    expect(few.split('b-video-task').length).toBeLessThan(many.split('b-video-task').length)
  })

  test('a task is waited for', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    const waiting = account.tasks.waitFor(id, 'running')
    await account.clock.advance({ to: 'next' })
    expect(await waiting).toMatchObject({ id, status: 'running' })
    const end = account.tasks.waitFor(id)
    await account.clock.advance({ to: 'idle' })
    expect(await end).toMatchObject({ status: 'succeeded' })
    expect(await account.tasks.waitFor(id, 'running')).toMatchObject({ status: 'succeeded' })
  })

  test('a task that is not there in time: what there is, and what to do', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    const error = await errorOf(account.tasks.waitFor(id, 'succeeded', { timeout: '5ms' }))
    expect(error).toMatchObject({ code: 'not-yet', found: { id, status: 'queued' } })
    expect(error.message).toContain(`The task ${id} has not become succeeded: it is queued since`)
    expect(error.hint).toContain('advance the clock')
    const unended = await errorOf(account.tasks.waitFor(id, undefined, { timeout: '5ms' }))
    expect(unended.message).toContain(`The task ${id} has not ended: it is queued since`)
  })

  test('a task that has ended otherwise is not waited for', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    const waiting = errorOf(account.tasks.waitFor(id, 'succeeded', { timeout: '1h' }))
    await account.tasks.fail(id, 'InternalServiceError')
    expect(await waiting).toMatchObject({ code: 'never', found: { status: 'failed' } })
  })

  test('calls are waited for, one or several', async () => {
    const { account, createB, statusOfB } = await openAccount()
    const waiting = account.requests.waitFor({ operation: 'b-video-task.read' }, { count: 2 })
    const id = await createB()
    await statusOfB(id)
    await statusOfB(id)
    expect(await waiting).toHaveLength(2)
    const error = await errorOf(account.requests.waitFor({ status: 503 }, { timeout: 1 }))
    expect(error.message).toContain('0 of 1 such requests came; the latest requests: GET')
  })

  test('the error of a wait for calls says how many were evicted', async () => {
    const { account, statusOfB } = await openAccount({ journalEntries: 1 })
    for (const id of ['one', 'two', 'three']) await statusOfB(id)
    expect((await errorOf(account.requests.waitFor({ status: 503 }, { timeout: 1 }))).message).toContain(
      '0 of 1 such requests came, not counting 2 calls that were evicted; the latest requests: GET',
    )
  })

  test('the error of a wait names the account that has the task', async () => {
    const { emulator, createB } = await openAccount()
    const id = await createB()
    const error = await errorOf(emulator.account('another-key').tasks.waitFor(id, undefined, { timeout: 1 }))
    expect(error.message).toContain(`This account has no task ${id}`)
    expect(error.hint).toContain('is the code given the key of this one?')
  })

  test('callbacks are waited for, listed, read and sent again', async () => {
    const { account, createF } = await openAccount()
    const box = account.inbox('hook')
    const taskId = await createF({ callback_url: box.url })
    const waiting = account.callbacks.waitFor({ taskId, status: 'succeeded' })
    await account.clock.advance({ to: 'idle' })
    const [delivery] = await waiting
    expect(delivery).toMatchObject({ taskId, kind: 'delivery', state: 'delivered', url: box.url })
    expect(delivery?.attempts).toMatchObject([{ outcome: 'answered', status: 200 }])
    expect((await account.callbacks.list({ kind: 'challenge' })).map(({ state }) => state)).toEqual([
      'delivered',
    ])
    expect(await account.callbacks.list({ status: 'succeeded' })).toEqual([delivery])
    expect(await account.callbacks.count({ status: 'succeeded' })).toEqual({ total: 1, evicted: 0 })
    const id = delivery?.id ?? ''
    expect(await account.callbacks.get(id)).toEqual(delivery)
    expect((await account.callbacks.redeliver(id)).attempts).toHaveLength(2)
    expect(await box.list()).toHaveLength(4)
  })

  test('callbacks that do not come: what is in the log', async () => {
    const { account, createB } = await openAccount()
    await createB({ callback_url: 'http://203.0.113.7/hook' })
    const error = await errorOf(account.callbacks.waitFor({}, { timeout: '50ms' }))
    expect(error.message).toMatch(
      /0 of 1 such callbacks are there; the latest callbacks: queued of cgt-.* \(failed\)/,
    )
    const unnamed = { state: undefined }
    expect((await errorOf(account.callbacks.waitFor(unnamed, { timeout: '50ms' }))).code).toBe('not-yet')
    expect((await account.callbacks.waitFor({ state: 'failed' }))[0]?.reason).toContain('203.0.113.7')
  })

  test('a box is waited for', async () => {
    const { account, createB } = await openAccount()
    const box = account.inbox('a box')
    const waiting = box.waitFor({ count: 2 })
    const id = await createB({ callback_url: box.url })
    await account.clock.advance({ to: 'next' })
    expect((await waiting).map(({ body }) => body)).toMatchObject([
      { id, status: 'queued' },
      { id, status: 'running' },
    ])
    expect(await account.inbox('another').list()).toEqual([])
    const error = await errorOf(account.inbox('another').waitFor({ timeout: '1ms' }))
    expect(error.message).toContain('0 of 1 messages are in the box another')
  })

  test.each<[string, (account: AccountHandles, taken: { readonly id: string }) => Promise<unknown>]>([
    ['a reset', (account) => account.reset()],
    ['an older state', (account, taken) => account.restore(taken)],
    ['the end of a test', (account) => account.finish()],
  ])('idle is at once after %s', async (_, clear) => {
    const { account, createB } = await openAccount()
    await account.clock.read()
    const taken = await account.snapshot()
    await createB()
    const waiting = account.idle({ timeout: '1h' })
    await clear(account, taken)
    await expect(waiting).resolves.toBeUndefined()
  })

  test('idle is when nothing is left to happen', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    const error = await errorOf(account.idle({ timeout: '1ms' }))
    expect(error).toMatchObject({
      code: 'not-yet',
      message: expect.stringContaining(`the task ${id} is queued`),
    })
    const waiting = account.idle()
    await account.clock.advance({ to: 'idle' })
    await expect(waiting).resolves.toBeUndefined()
  })

  test('the timeline tells everything in order', async () => {
    const { account, createB, statusOfB } = await openAccount({ clock: 'on-poll' })
    const box = account.inbox('hook')
    const id = await createB({ callback_url: box.url })
    await account.callbacks.waitFor({ status: 'queued' })
    await statusOfB(id)
    const items = await account.timeline()
    expect(items.map(({ says }) => says.replaceAll(id, 'ID'))).toEqual([
      'POST /provB/api/v3/contents/generations/tasks → 200 (b-video-task.create ID)',
      'task ID queued',
      `callback queued to ${box.url} → 200`,
      'task ID running',
      `callback running to ${box.url} → 200`,
      'GET /provB/api/v3/contents/generations/tasks/ID → 200 (b-video-task.read ID)',
    ])
  })

  test('the timeline says which step of a scenario acted on a call, beside what the call was', async () => {
    const { account, createB, statusOfB } = await openAccount()
    await account.fail('b-video-task.read', { error: 'ServerOverloaded', retryAfter: 5, times: 1 })
    const id = await createB()
    await statusOfB(id)
    await statusOfB(id)
    const calls = (await account.timeline()).filter(({ kind }) => kind === 'request')
    const [{ scenario } = { scenario: '' }] = await account.scenario.steps()
    expect(calls.map(({ says }) => says.slice(says.indexOf('→')).replaceAll(id, 'ID'))).toEqual([
      '→ 200 (b-video-task.create ID)',
      `→ 429 (b-video-task.read; step 1 of the scenario ${scenario} acted: answer.error, answer.retryAfter)`,
      '→ 200 (b-video-task.read ID)',
    ])
  })

  test('loose ends are unexpected calls and undelivered callbacks', async () => {
    const { account, ask, createB } = await openAccount()
    expect(await account.looseEnds()).toEqual({
      unexpectedCalls: [],
      undeliveredCallbacks: [],
      unusedSteps: [],
      abandonedTasks: [],
    })
    await ask('GET', '/provB/api/v3/content')
    await createB({ callback_url: 'http://203.0.113.7/hook' })
    expect(await account.looseEnds()).toMatchObject({
      unexpectedCalls: [{ path: '/provB/api/v3/content', status: 404 }],
      undeliveredCallbacks: [{ status: 'queued', state: 'failed' }],
    })
  })

  test('the end of a test tells its loose ends, and how they came about, and begins anew', async () => {
    const { account, ask, createB } = await openAccount()
    const nothing = { unexpectedCalls: [], undeliveredCallbacks: [], unusedSteps: [] }
    const none = { ...nothing, abandonedTasks: [], verdict: [], timeline: [] }
    await createB()
    expect(await account.finish()).toMatchObject({ ...nothing, abandonedTasks: [{ status: 'queued' }] })
    expect(await account.tasks.list()).toEqual([])
    await ask('GET', '/provB/api/v3/content')
    const { unexpectedCalls, timeline } = await account.finish()
    expect(unexpectedCalls).toMatchObject([
      { path: '/provB/api/v3/content', explanation: [expect.any(String)] },
    ])
    expect(timeline).toHaveLength(1)
    expect(await account.finish()).toEqual(none)
  })

  test('the verdict is about the client, and a pause moves the clock', async () => {
    const { emulator, account, createB } = await openAccount()
    expect(await account.verdict()).toEqual([])
    const id = await createB()
    const before = Date.parse((await account.clock.read()).now)
    await account.pause(1_500)
    expect(Date.parse((await account.clock.read()).now) - before).toBe(1_500)
    const [finding, ...others] = await account.verdict()
    expect(others).toEqual([])
    expect(finding).toMatchObject({ kind: 'abandoned-task', message: expect.stringContaining(id) })
    expect(await emulator.verdictAll()).toEqual([finding])
  })

  test('the end of everything is that of all accounts', async () => {
    const { emulator, account, createB } = await openAccount()
    const other = emulator.account('other-key')
    await createB()
    await clientOf(emulator.url, other.key).ask('GET', '/v1/videoz')
    await account.fail('b-video-task.create', { status: 500, required: true })
    await other.fail('b-video-task.create', { status: 500, required: true })
    const { unexpectedCalls, unusedSteps, timeline } = await emulator.finishAll(account.key)
    expect([unexpectedCalls.length, unusedSteps.length]).toEqual([1, 1])
    expect(new Set(timeline.map((item) => item.account)).size).toBe(2)
    expect([...(await account.tasks.list()), ...(await other.requests.list())]).toEqual([])
  })

  test('scenarios are played, looked at and stopped', async () => {
    const { account, ask, createB } = await openAccount()
    await account.fail('b-video-task.create', { error: 'ServerOverloaded', times: 1, required: true })
    expect(await account.looseEnds()).toMatchObject({ unusedSteps: [{ step: 1, required: true, acted: 0 }] })
    expect(await account.scenario.unused()).toHaveLength(1)
    const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
    expect((await ask('POST', '/provB/api/v3/contents/generations/tasks', order)).status).toBe(429)
    expect(await createB()).toMatch(/^cgt-/)
    expect(await account.scenario.unused()).toEqual([])
    expect(await account.scenario.steps()).toMatchObject([{ seen: 2, acted: 1 }])
    await account.scenario.stop()
    expect(await account.scenario.steps()).toEqual([])
    expect(await errorOf(account.scenario.play('no-such-scenario' as ScenarioName))).toMatchObject({
      code: 'unknown-scenario',
    })
  })

  test('a scenario is played by its name, as a document and from a file, and stopped by its name', async () => {
    const { account, ask } = await openAccount()
    const folder = newFolder()
    const file: ScenarioFile = `${folder}/mine.yaml`
    await writeFile(
      file,
      'name: mine\nsays: Mine.\nsteps:\n  - { when: { operation: c-video.read }, then: { answer: { status: 502, body: {} } } }\n',
    )
    await account.scenario.play('queue-full')
    await account.scenario.play(file)
    const playing = await account.scenario.play({
      name: 'teapot',
      says: 'Images are tea.',
      steps: [{ when: { operation: 'a-image.create' }, then: { answer: { status: 418, text: 'tea' } } }],
    })
    expect(playing.map(({ name }) => name)).toEqual(['teapot', 'mine', 'queue-full'])
    expect((await ask('GET', '/v1/videos/none')).status).toBe(502)
    await account.scenario.stop('mine' as ScenarioName)
    expect((await ask('GET', '/v1/videos/none')).status).toBe(404)
    expect(new Set((await account.scenario.steps()).map(({ scenario }) => scenario))).toEqual(
      new Set(['teapot', 'queue-full']),
    )
    expect(await errorOf(account.scenario.stop('mine' as ScenarioName))).toMatchObject({
      code: 'not-playing',
    })
    expect(await errorOf(account.scenario.play(`${folder}/gone.yaml`))).toMatchObject({
      code: 'no-such-file',
    })
  })

  test('the account is read and changed', async () => {
    const { account } = await openAccount()
    await account.change({ balance: 3, agreementAccepted: false, limits: { tasksInFlight: 2 } })
    expect(await account.read()).toMatchObject({
      balance: 3,
      agreementAccepted: false,
      limits: { requestsPerMinute: null, tasksInFlight: 2, imageQuota: null },
    })
  })

  test('resetting begins anew: one account, or all of them', async () => {
    const { emulator, account, createB } = await openAccount()
    const other: AccountHandles = emulator.account('other-key')
    const [first] = await Promise.all([createB(), clientOf(emulator.url, other.key).createB()])
    await account.reset()
    expect(await account.tasks.list()).toEqual([])
    expect(await other.tasks.list()).toHaveLength(1)
    expect(await createB()).toBe(first)
    await emulator.resetAll()
    expect([...(await account.tasks.list()), ...(await other.tasks.list())]).toEqual([])
  })

  test('the handles of the emulator itself are those of an account', async () => {
    const { emulator } = await openAccount()
    const id = await clientOf(emulator.url, emulator.key).createB()
    expect(await emulator.account(emulator.key).tasks.get(id)).toEqual(await emulator.tasks.get(id))
  })

  test.each<[string, (account: AccountHandles) => Promise<unknown>, string]>([
    ['an unknown task', (account) => account.tasks.get('cgt-none'), 'no-such-task'],
    ['an unknown call', (account) => account.requests.get('none'), 'no-such-request'],
    ['an unknown callback', (account) => account.callbacks.get('none'), 'unknown-callback'],
    ['an unknown callback sent again', (account) => account.callbacks.redeliver('none'), 'unknown-callback'],
    ['a time that is over', (account) => account.clock.advance({ to: '2020-01-01' }), 'time-runs-forward'],
    ['a day that does not exist', (account) => account.clock.advance({ to: '2026-02-30' }), 'bad-time'],
    ['a time that is not ISO', (account) => account.clock.advance({ to: '1 May 2026' }), 'bad-time'],
    ['a duration that is none', (account) => account.clock.advance('soon' as Duration), 'bad-duration'],
    ['a filter that is none', (account) => account.tasks.list({ status: 'done' as 'failed' }), 'bad-input'],
    ['a negative speed', (account) => account.clock.change({ speed: -1 }), 'bad-input'],
  ])('%s is an error with a code and a message', async (_, doing, code) => {
    const { account } = await openAccount()
    const error = await errorOf(doing(account))
    expect(error.code).toBe(code)
    expect(error.message).not.toBe('')
  })

  test.each<[string, string, (account: AccountHandles, filter: object) => Promise<unknown>, object]>([
    ['a list as a status', 'status', ({ tasks }, filter) => tasks.list(filter), { status: ['queued'] }],
    ['a number as a path', 'path', ({ requests }, filter) => requests.list(filter), { path: 5 }],
    ['an object as a path', 'path', ({ requests }, filter) => requests.waitFor(filter), { path: {} }],
    ['null as a task', 'taskId', ({ callbacks }, filter) => callbacks.list(filter), { taskId: null }],
    ['true as a limit', 'limit', ({ requests }, filter) => requests.list(filter), { limit: true }],
    ['null as an offset', 'offset', ({ tasks }, filter) => tasks.list(filter), { offset: null }],
    ['a list as a limit', 'limit', ({ callbacks }, filter) => callbacks.list(filter), { limit: [5] }],
    ['an empty text as an offset', 'offset', ({ tasks }, filter) => tasks.list(filter), { offset: '' }],
    ['an exponent as a limit', 'limit', ({ tasks }, filter) => tasks.list(filter), { limit: '1e3' }],
    [
      'hexadecimal digits as an offset',
      'offset',
      ({ requests }, filter) => requests.list(filter),
      { offset: '0x10' },
    ],
    ['a list as a status code', 'status', ({ requests }, filter) => requests.list(filter), { status: [200] }],
    ['true as a count', 'count', ({ requests }, options) => requests.waitFor({}, options), { count: true }],
  ])('%s in a filter is refused by its name', async (_, field, list, filter) => {
    const { account } = await openAccount()
    const error = await errorOf(list(account, filter))
    expect(error).toMatchObject({ code: 'bad-input', hint: expect.stringContaining('docs/control-api.md') })
    expect(error.sentence).toMatch(new RegExp(`^${field} must be (a string|a number|one of .*), found `))
  })

  test.each(['key ', ' key', 'key\n', 'ключ', ''])(
    'a key that no header can carry is refused: %j',
    async (key) => {
      const { emulator } = await openAccount()
      expect(() => emulator.account(key)).toThrow(
        /^account: key must be a string that a header can carry, without white space around it, found "/,
      )
      expect(emulator.account('key with ü').key).toBe('key with ü')
    },
  )

  test('digits in a text do as a number', async () => {
    const { account, createB } = await openAccount()
    for (const _ of [1, 2]) await createB()
    expect(await account.tasks.list({ limit: '1', offset: '1' } as object)).toHaveLength(1)
  })

  test.each(['.', '..'])('nothing is found by the id %s', async (id) => {
    const { account } = await openAccount()
    const unknown = /no-such-task|no-such-request|unknown-callback|unknown-snapshot|bad-input/
    expect((await errorOf(account.tasks.get(id))).code).toMatch(unknown)
    expect((await errorOf(account.tasks.fail(id))).code).toMatch(unknown)
    expect((await errorOf(account.requests.explain(id))).code).toMatch(unknown)
    expect((await errorOf(account.callbacks.redeliver(id))).code).toMatch(unknown)
    expect((await errorOf(account.restore({ id } as never))).code).toMatch(unknown)
    expect(() => account.inbox(id)).toThrow(
      `inbox: name must be a string that is not empty, nor . or .., found "${id}".`,
    )
  })

  test('a failure names its operation once', async () => {
    const { account, createB } = await openAccount()
    const when: object = { operation: 'a-image.create' }
    const failing = account.fail('b-video-task.create', { error: 'ServerOverloaded', when })
    expect(await errorOf(failing)).toMatchObject({
      code: 'bad-argument',
      sentence: 'fail: when must not name an operation, since the first argument does.',
    })
    expect(await createB()).toBeDefined()
  })

  test('handles return copies', async () => {
    const { account, createB } = await openAccount()
    const id = await createB()
    const task = await account.tasks.get(id)
    Object.assign(task.order as object, { duration: 99 })
    expect((await account.tasks.get(id)).order).not.toMatchObject({ duration: 99 })
  })
}
