// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; it is never a function
import { expect, test } from 'vitest'
import { startReceiver } from '../callbacks/receiver.js'
import { b, f, startPlaying } from './play.js'

const naming = (name: string) => ({ headers: { 'x-backlot-scenario': name } })

const idle = {
  name: 'idle',
  says: 'Nothing goes wrong.',
  steps: [{ when: { nth: 999 }, then: { clock: { jump: '1s' } } }],
}

test('a scenario plays for the one call that names it, with fresh counters every time', async () => {
  const { ask, account } = await startPlaying(idle)
  const create = (options = {}) => ask('POST', b.create, b.body(), options)
  const named = naming('rate-limit-burst')
  expect([(await create(named)).status, (await create()).status, (await create(named)).status]).toEqual([
    429, 200, 429,
  ])
  expect((await account.scenario.steps()).map(({ scenario }) => scenario)).toEqual(['idle'])
})

test('a request scenario is tried before the scenarios of the account', async () => {
  const { ask } = await startPlaying('one-failed-poll')
  const id = b.idOf(await ask('POST', b.create, b.body()))
  await ask('GET', b.query(id))
  const answer = await ask('GET', b.query(id), undefined, naming('html-error-page'))
  expect(answer.headers.get('content-type')).toBe('text/html')
})

test('a request scenario acts on the callbacks of the task that the call makes', async () => {
  const playing = await startPlaying(idle, { clock: 'paused' })
  const receiver = await startReceiver()
  const body = f.body({ callback_url: receiver.url })
  await playing.ask('POST', f.create, body, naming('callback-lost'))
  await playing.account.clock.advance('1m')
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running'])
  await playing.ask('POST', f.create, body)
  await playing.account.clock.advance('1m')
  expect(receiver.kinds().slice(3)).toEqual(['challenge', 'queued', 'running', 'succeeded'])
})

test('a request scenario counts the callbacks of the task that the call makes', async () => {
  const secondLost = {
    name: 'second-lost',
    says: 'The second delivery never comes.',
    steps: [{ when: { callback: 'delivery', nth: 2 }, then: { callback: { never: true } } }],
  }
  const playing = await startPlaying(secondLost, { clock: 'paused' })
  await playing.account.scenario.stop()
  const receiver = await startReceiver()
  await playing.ask('POST', f.create, f.body({ callback_url: receiver.url }), naming('second-lost'))
  await playing.account.clock.advance('1m')
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'succeeded'])
})

test.each([
  ['a create', b.create, b.body(), 'callback-losst'],
  ['two letters that are swapped', b.create, b.body(), 'callback-lots'],
  ['an image’s download', '/results/000000000000/img-1/0.png', undefined, 'callback-losst'],
])(
  'a name that does not exist is 400 of the control kind, with the nearest one: %s',
  async (_, path, body, name) => {
    const { ask, account } = await startPlaying(idle)
    const answer = await ask(body === undefined ? 'GET' : 'POST', path, body, naming(name))
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: {
          code: 'unknown-scenario',
          message: `There is no scenario "${name}".`,
          hint: 'Did you mean callback-lost?',
        },
      },
    ])
    expect(await account.tasks.list()).toEqual([])
  },
)

test('a scenario that was given at the start can be named too', async () => {
  const { ask } = await startPlaying({
    name: 'mine',
    says: 'The second create fails.',
    steps: [{ when: { operation: 'b-video-task.create', nth: 1 }, then: { answer: { status: 500 } } }],
  })
  await ask('POST', b.create, b.body())
  expect((await ask('POST', b.create, b.body(), naming('mine'))).status).toBe(500)
})
