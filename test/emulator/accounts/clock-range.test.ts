import { expect, test } from 'vitest'
import { bodies, openInProcess, paths } from '../../emulator.js'

const { as } = openInProcess()

const advance = (key: string, body: object) => as(key).post('/_backlot/clock/advance', body)

test.each(['999999999d', 1e308, '36501d', 'soon'])('a clock cannot be advanced by %s', async (by) => {
  const { status, body } = await advance('far', { by })
  expect([status, body.error.code]).toEqual([400, 'bad-duration'])
  const found = typeof by === 'string' ? JSON.stringify(by) : by
  expect(body.error.message).toBe(`by must be a duration such as 250ms, 10s, 5m, 24h or 14d, found ${found}.`)
})

test('a time that is none, and a timeout that is none, are refused by name', async () => {
  const advanced = await advance('none', { to: 'soon' })
  expect([advanced.status, advanced.body.error.message]).toEqual([
    400,
    'to must be next, idle, next-expiry or an ISO time, found "soon".',
  ])
  const waited = await as('none').get('/_backlot/wait?for=request&timeout=soon')
  expect([waited.status, waited.body.error.message]).toEqual([
    400,
    'timeout must be a duration such as 250ms, 10s, 5m, 24h or 14d, found "soon".',
  ])
})

test('a clock goes to the end of the years of four digits, and not beyond', async () => {
  expect((await advance('end', { to: '9999-12-31T23:59:59Z' })).status).toBe(200)
  const { status, body } = await advance('end', { by: '1s' })
  expect([status, body.error.code]).toEqual([400, 'time-ends'])
  expect((await advance('end', { by: 0 })).status).toBe(200)
})

test('a scenario that moves a clock beyond its end moves it to its end', async () => {
  await advance('jumps', { to: '9999-12-31T23:59:00Z' })
  await as('jumps').scenario.play({
    name: 'jump',
    says: 'An hour passes.',
    steps: [{ when: {}, then: { clock: { jump: '1h' } } }],
  })
  expect((await as('jumps').post(paths.tasks, bodies.task())).status).toBe(200)
  expect((await as('jumps').clock.read()).now).toBe('9999-12-31T23:59:59.000Z')
})

test('a clock begins within the years of four digits', async () => {
  const begin = (now: string) => as(`begins ${now}`).clock.change({ now })
  for (const now of ['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'])
    await expect(begin(now)).rejects.toThrow('now must be from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z')
  for (const now of ['9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'])
    expect(await begin(now)).toMatchObject({ now: now.replace('Z', '.000Z') })
})

test('a task that is created near the end of the clock still ends', async () => {
  await advance('late', { to: '9999-12-31T23:59:59Z' })
  const { body } = await as('late').post(paths.tasks, bodies.task())
  expect((await advance('late', { to: 'idle' })).status).toBe(200)
  expect((await as('late').get(`${paths.tasks}/${body.id}`)).body.status).toBe('succeeded')
})

test('a live clock of the highest speed runs, and a higher speed is refused', async () => {
  const change = (speed: number) =>
    as('fast').clock.change({ mode: 'live', speed }) as Promise<{ readonly speed: number }>
  expect((await change(1_000_000)).speed).toBe(1_000_000)
  expect((await as('fast').post(paths.tasks, bodies.task())).status).toBe(200)
  await expect(change(1_000_001)).rejects.toThrow('speed')
  await expect(change(1e300)).rejects.toThrow('speed')
})

test('a wait of days waits, and is over when it has happened', async () => {
  const waiting = as('patient').get('/_backlot/wait?for=request&timeout=30000d')
  const answer = waiting.then(({ status }) => status)
  await as('patient').post(paths.tasks, bodies.task())
  expect(await answer).toBe(200)
})
