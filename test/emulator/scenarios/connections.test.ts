import { expect, test } from 'vitest'
import type { OperationName } from '../../../src/index.js'
import { b, create, startPlaying, videoFamilies } from './play.js'

test.each(videoFamilies)(
  'poll-hangs: the second query of $id is never answered, the next one is',
  async (family) => {
    const { ask, account } = await startPlaying('poll-hangs')
    const id = family.idOf(await ask('POST', family.create, family.body()))
    await ask('GET', family.query(id))
    const patience = new AbortController()
    const hanging = ask('GET', family.query(id), undefined, { signal: patience.signal })
    // The journal has it as soon as it hangs.
    const calls = await account.requests.waitFor(
      { operation: `${family.id}.read` as OperationName },
      { count: 2 },
    )
    expect(calls[0]?.scenario?.acted?.effects).toEqual(['transport.hang'])
    patience.abort()
    await expect(hanging).rejects.toThrow()
    expect((await ask('GET', family.query(id))).status).toBe(200)
  },
)

test.each(videoFamilies)(
  'slow-first-byte: every third create of $id waits from 5 to 35 seconds',
  async (family) => {
    const { ask, waited } = await startPlaying('slow-first-byte')
    const statuses: number[] = []
    for (let calls = 0; calls < 6; calls += 1)
      statuses.push((await ask('POST', family.create, family.body())).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200])
    expect(waited).toHaveLength(2)
    for (const ms of waited) {
      expect(ms).toBeGreaterThanOrEqual(5_000)
      expect(ms).toBeLessThan(35_000)
    }
  },
)

test('slow-first-byte: the delays are drawn from the seed', async () => {
  const waitedWith = async (seed: number) => {
    const { ask, waited } = await startPlaying('slow-first-byte', { seed })
    for (let calls = 0; calls < 6; calls += 1) await ask('POST', b.create, b.body())
    return waited
  }
  expect(await waitedWith(1)).toEqual(await waitedWith(1))
  expect(await waitedWith(1)).not.toEqual(await waitedWith(2))
})

test.each(videoFamilies)(
  'reset-after-create: the first create of $id is reset, and its task is made and paid for',
  async (family) => {
    const playing = await startPlaying('reset-after-create')
    const { ask, account } = playing
    await expect(ask('POST', family.create, family.body())).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    })
    const [task, ...others] = await account.tasks.list()
    expect(others).toEqual([])
    await playing.poll(family, task?.id ?? '')
    expect((await account.read()).spent).toBeGreaterThan(0)
    expect(await create(playing, family)).not.toBe(task?.id)
  },
)

test('reset-after-create: the task can be found in the list of B', async () => {
  const { ask } = await startPlaying('reset-after-create')
  await ask('POST', b.create, b.body()).catch(() => {})
  expect((await ask('GET', b.create)).body.total).toBe(1)
})
