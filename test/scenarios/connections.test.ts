import { expect, test } from 'vitest'
import type { OperationName } from '../../src/index.js'
import { b, create, openStage, videoFamilies } from './stage.js'

test.each(videoFamilies)(
  'poll-hangs: the second query of $id is never answered, the next one is',
  async (family) => {
    const { ask, handles } = await openStage('poll-hangs')
    const id = family.idOf(await ask('POST', family.create, family.body()))
    await ask('GET', family.query(id))
    const patience = new AbortController()
    const hanging = ask('GET', family.query(id), undefined, { signal: patience.signal })
    // The journal has it as soon as it hangs.
    const calls = await handles.requests.waitFor(
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
    const { ask, waited } = await openStage('slow-first-byte')
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
    const { ask, waited } = await openStage('slow-first-byte', { seed })
    for (let calls = 0; calls < 6; calls += 1) await ask('POST', b.create, b.body())
    return waited
  }
  expect(await waitedWith(1)).toEqual(await waitedWith(1))
  expect(await waitedWith(1)).not.toEqual(await waitedWith(2))
})

test.each(videoFamilies)(
  'reset-after-create: the first create of $id is reset, and its task is made and paid for',
  async (family) => {
    const stage = await openStage('reset-after-create')
    const { ask, handles } = stage
    await expect(ask('POST', family.create, family.body())).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    })
    const [task, ...others] = await handles.tasks.list()
    expect(others).toEqual([])
    await stage.poll(family, task?.id ?? '')
    expect((await handles.read()).spent).toBeGreaterThan(0)
    expect(await create(stage, family)).not.toBe(task?.id)
  },
)

test('reset-after-create: the task can be found in the list of B', async () => {
  const { ask } = await openStage('reset-after-create')
  await ask('POST', b.create, b.body()).catch(() => {})
  expect((await ask('GET', b.create)).body.total).toBe(1)
})
