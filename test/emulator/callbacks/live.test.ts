import { once } from 'node:events'
import { expect, test } from 'vitest'
import { KEY, startOnPort } from '../../emulator.js'
import { passingThen, startReceiver } from './receiver.js'

test('on a live clock the timer sends what is due, without a call', async () => {
  const { createF } = await startOnPort({ clock: 'live', speed: 100 })
  const receiver = await startReceiver()
  await createF({ callback_url: receiver.url })
  await receiver.until(4)
  expect(receiver.kinds()).toEqual(['challenge', 'queued', 'running', 'succeeded'])
})

test('on a live clock the timer sends retries', async () => {
  const { createF } = await startOnPort({ clock: 'live', speed: 1_000 })
  const receiver = await startReceiver(
    passingThen((_, response, count) => response.writeHead(count <= 4 ? 500 : 200).end()),
  )
  await createF({ callback_url: receiver.url })
  await receiver.until(7)
  expect(receiver.kinds()).toEqual([
    'challenge',
    'queued',
    'queued',
    'queued',
    'queued',
    'running',
    'succeeded',
  ])
})

test('a receiver that hangs does not hold up the deliveries of other tasks', async () => {
  const { createF } = await startOnPort({ clock: 'live', speed: 100 })
  const receiver = await startReceiver(
    passingThen(({ path }, response) => (path === '/hang' ? undefined : response.end())),
  )
  await createF({ callback_url: receiver.url.replace('/hook', '/hang') })
  await receiver.until(2)
  await createF({ callback_url: receiver.url })
  await receiver.until(6)
  expect(receiver.received.filter(({ path }) => path === '/hook').map(({ what }) => what)).toEqual([
    'challenge',
    'queued',
    'running',
    'succeeded',
  ])
})

test('listeners hear of every change of a callback', async () => {
  const { createF, emulator } = await startOnPort({ clock: 'live', speed: 100 })
  const states: string[] = []
  emulator.events.on('callback', ({ kind, status, state, account }) =>
    states.push(`${account} ${status ?? kind} ${state}`),
  )
  const receiver = await startReceiver(
    passingThen((_, response, count) => response.writeHead(count === 2 ? 500 : 200).end()),
  )
  await createF({ callback_url: receiver.url })
  while (!states.includes(`${KEY} succeeded delivered`)) await once(emulator.events, 'callback')
  expect(states).toEqual([
    `${KEY} challenge delivered`,
    `${KEY} queued waiting`,
    `${KEY} queued delivered`,
    `${KEY} running delivered`,
    `${KEY} succeeded delivered`,
  ])
})
