import { describe, expect, test } from 'vitest'
import { passing, type Receiver, startReceiver } from '../callbacks/receiver.js'
import { b, create, f, type Playing, startPlaying, type VideoFamily } from './play.js'

const reporting: readonly VideoFamily[] = [b, f]

interface CallbackQueue {
  readonly playing: Playing
  readonly receiver: Receiver
  readonly id: string
}

/** A task of a family whose callbacks go to a receiver, lived to its end. */
const correspond = async (scenario: string, family: VideoFamily): Promise<CallbackQueue> => {
  const playing = await startPlaying(scenario, { clock: 'paused' })
  const receiver = await startReceiver()
  const id = await create(playing, family, { callback_url: receiver.url })
  await playing.account.clock.advance('1m')
  return { playing, receiver, id }
}

/** What was reported, without the challenge of F. */
const reported = ({ kinds }: Receiver): string[] => kinds().filter((what) => what !== 'challenge')

const states = async ({ account }: Playing): Promise<string[]> =>
  (await account.callbacks.list({ kind: 'delivery' }))
    .map(({ status, state }) => `${status} ${state}`)
    .reverse()

describe.each(reporting.map((family) => [family.id, family] as const))('%s', (_, family) => {
  test('callback-lost: success is never reported', async () => {
    const { playing, receiver } = await correspond('callback-lost', family)
    expect(reported(receiver)).toEqual(['queued', 'running'])
    expect(await states(playing)).toEqual(['queued delivered', 'running delivered', 'succeeded skipped'])
  })

  test('callback-late: success is reported ten minutes later', async () => {
    const { playing, receiver } = await correspond('callback-late', family)
    expect(reported(receiver)).toEqual(['queued', 'running'])
    await playing.account.clock.advance('10m')
    expect(reported(receiver)).toEqual(['queued', 'running', 'succeeded'])
  })

  test('callback-twice: everything comes twice, with the same delivery id', async () => {
    const { receiver } = await correspond('callback-twice', family)
    expect(reported(receiver)).toEqual(['queued', 'queued', 'running', 'running', 'succeeded', 'succeeded'])
    const ids = receiver.received
      .filter(({ what }) => what !== 'challenge')
      .map(({ headers }) => headers['x-backlot-delivery-id'])
    expect(new Set(ids).size).toBe(3)
  })

  test('callbacks-out-of-order: running comes after succeeded', async () => {
    const { receiver } = await correspond('callbacks-out-of-order', family)
    expect(reported(receiver)).toEqual(['queued', 'succeeded', 'running'])
    const [succeeded, running] = receiver.received.slice(-2).map(({ body }) => body.updated_at)
    expect(succeeded).toBeGreaterThan(running)
  })

  test('callback-before-answer: the receiver hears of the task before the create has answered', async () => {
    const playing = await startPlaying('callback-before-answer', { clock: 'paused' })
    let hasAnswered = false
    const heardBefore: string[] = []
    const receiver = await startReceiver((received, response, count) => {
      if (!hasAnswered) heardBefore.push(received.what)
      return passing(received, response, count)
    })
    await create(playing, family, { callback_url: receiver.url })
    hasAnswered = true
    expect(heardBefore).toEqual(family === f ? ['challenge', 'queued'] : ['queued'])
  })

  test('callback-broken-body: one body ends in the middle, and the next one is whole', async () => {
    const playing = await startPlaying('callback-broken-body', { clock: 'paused' })
    const box = playing.account.inbox('hook')
    await create(playing, family, { callback_url: box.url })
    await playing.account.clock.advance('1m')
    const running = (await playing.account.callbacks.list({ status: 'running' }))[0]
    expect(() => JSON.parse(String(running?.body))).toThrow()
    expect((await box.list()).map(({ body }) => (body as { status: string }).status)).toEqual([
      'queued',
      'succeeded',
    ])
  })
})

test('callback-after-delete: a receiver is called about a task that was deleted', async () => {
  const { playing, receiver, id } = await correspond('callback-after-delete', b)
  expect((await playing.ask('DELETE', b.query(id))).status).toBe(200)
  expect((await playing.ask('GET', b.query(id))).status).toBe(404)
  await playing.account.clock.advance('10m')
  expect(receiver.received.at(-1)).toMatchObject({ what: 'succeeded', body: { id } })
})

test('challenge-fails: a receiver that gives back what it was sent hears nothing more', async () => {
  const { playing, receiver, id } = await correspond('challenge-fails', f)
  expect(receiver.kinds()).toEqual(['challenge'])
  expect(await states(playing)).toEqual(['queued skipped', 'running skipped', 'succeeded skipped'])
  const [challenge] = await playing.account.callbacks.list({ kind: 'challenge' })
  expect(challenge).toMatchObject({
    state: 'failed',
    scenario: { acted: { scenario: 'challenge-fails', step: 1, effects: ['callback.challenge'] } },
  })
  expect((await playing.ask('GET', f.query(id))).body.status).toBe('succeeded')
})

test('a verification request can lack its challenge', async () => {
  const playing = await startPlaying({
    name: 'challenge-missing',
    says: 'The verification request is empty.',
    steps: [{ when: { callback: 'challenge' }, then: { callback: { challenge: 'missing' } } }],
  })
  const box = playing.account.inbox('hook')
  await create(playing, f, { callback_url: box.url })
  const [challenge] = await playing.account.callbacks.waitFor({ kind: 'challenge', state: 'failed' })
  expect(challenge?.body).toEqual({})
})
