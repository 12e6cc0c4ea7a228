import { describe, expect, test } from 'vitest'
import { expectSame, image, KEY, openSession, paths, videoTask } from './session.js'

describe('scenarios', () => {
  const document = (steps: object[]) => ({ name: 'mine', says: 'Things go wrong.', steps }) as never

  test('a scenario that was given at the start plays for every account', async () => {
    const { as, saved } = await openSession({ scenario: ['upstream-flapping', 'unknown-status'] })
    for (const key of ['one-key-1', 'two-key-2'])
      for (let nth = 0; nth < 6; nth += 1) {
        const id = (await as(key).post(paths.tasks, videoTask())).body?.id
        if (id !== undefined) await as(key).get(`${paths.tasks}/${id}`)
      }
    await expectSame(await saved())
  })

  test('a scenario that was played for one account is replayed, with draws, jumps and a broken connection', async () => {
    const { client, saved, emulator } = await openSession()
    await emulator.account(KEY).scenario.play(
      document([
        { when: { operation: 'b-video-task.create', nth: 2 }, then: { clock: { jump: '1h' } } },
        { when: { operation: 'b-video-task.create', nth: 3 }, then: { transport: { reset: true } } },
        {
          when: { operation: 'b-video-task.list', probability: 0.5, account: [KEY, 'somebody-else'] },
          then: { answer: { status: 502, text: '<html>Bad gateway</html>', contentType: 'text/html' } },
        },
        {
          when: { operation: 'b-video-task.read' },
          then: { answer: { error: 'ServerOverloaded', retryAfter: 7 } },
        },
        {
          when: { operation: 'a-image.create' },
          then: { answer: { cutAt: 20 }, transport: { delay: '5s' } },
        },
      ]),
    )
    for (let nth = 0; nth < 4; nth += 1) await client.post(paths.tasks, videoTask()).catch(() => {})
    const statuses = []
    for (let nth = 0; nth < 12; nth += 1) statuses.push((await client.get(paths.tasks)).status)
    expect(new Set(statuses)).toEqual(new Set([200, 502]))
    await client.get(`${paths.tasks}/cgt-1`)
    const recording = await saved()
    expect(recording).not.toContain(KEY)
    await expectSame(recording)
  })

  test('a scenario that moves a live clock moves it as far in the replay', async () => {
    const { client, saved, emulator } = await openSession({ clock: 'live' })
    await emulator
      .account(KEY)
      .scenario.play(
        document([{ when: { operation: 'b-video-task.create', nth: 2 }, then: { clock: { jump: '8d' } } }]),
      )
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await client.post(paths.tasks, videoTask())
    expect((await client.get(`${paths.tasks}/${id}`)).status).toBe(404)
    const lines = (await saved()).split('\n').filter((line) => line.includes('"kind":"call"'))
    const times = lines.map((line) => Date.parse(JSON.parse(line).at))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeLessThan(3_600_000)
    await expectSame(await saved())
  })

  test.each(['played', 'restored'])(
    'a %s scenario whose answer has a field named like a secret',
    async (way) => {
      const { client, saved, emulator } = await openSession()
      const account = emulator.account(KEY)
      const body = {
        access_token: 'abc',
        next: 'https://example.com/a?b=hidden-one',
        reported: `Wrong key: ${KEY}`,
      }
      await account.scenario.play(document([{ then: { answer: { status: 503, body } } }]))
      if (way === 'restored') await account.restore(await account.snapshot())
      expect((await client.get(paths.tasks)).body.access_token).toBe('abc')
      const recording = await saved()
      expect(recording).not.toContain(KEY)
      expect(recording).not.toContain('hidden-one')
      await expectSame(recording)
    },
  )

  test('a HEAD after whose answer the connection ends does not break the call after it', async () => {
    const { client, saved } = await openSession({ scenario: 'result-cut' })
    const picture = await client.post(paths.image, image())
    await client.head(picture.body.output.choices[0].message.content[0].image)
    for (let nth = 0; nth < 5; nth += 1) await client.get(paths.tasks)
    await expectSame(await saved())
  })

  test.each([{ body: 'busy' }, { text: 'busy' }])('an answer with the one word of %j', async (answer) => {
    const { client, saved } = await openSession({ scenario: document([{ then: { answer } }]) })
    await client.get(paths.tasks)
    await expectSame(await saved())
  })

  test.each([150, 175, 180, 200, 300])('an answer with URLs that is cut after %i bytes', async (cutAt) => {
    const then = { answer: { cutAt } }
    const scenario = document([{ when: { operation: 'c-video.read' }, then }])
    const { client, saved } = await openSession({ timing: 'instant', scenario })
    const { id } = (await client.post(paths.tasks, videoTask())).body
    await client.get(`/v1/videos/${id}`)
    await expectSame(await saved())
  })

  test.each(['a', 'bc'])('a callback with URLs whose body is broken, by way of the host %s', async (name) => {
    const step = { when: { callback: { status: 'succeeded' } }, then: { callback: { brokenBody: true } } }
    const { client, saved, emulator } = await openSession({
      ...{ timing: 'instant', clock: 'paused', scenario: document([step]) },
      publicUrl: `http://${name}.example.test`,
    })
    await client.post(paths.tasks, videoTask({ callback_url: emulator.inbox('hook').url }))
    await emulator.account(KEY).clock.advance({ to: 'idle' })
    await expectSame(await saved())
  })

  test('a header that named one for a single call', async () => {
    const { client, saved } = await openSession()
    const headers = { 'x-backlot-scenario': 'html-error-page' }
    expect((await client.get(`${paths.tasks}/none`, headers)).status).toBe(502)
    expect((await client.get(`${paths.tasks}/none`)).status).toBe(404)
    await expectSame(await saved())
  })
})
