import { expect, test } from 'vitest'
import { SingleFlight } from '../../../../src/emulator/media/render/single-flight.js'

/** A result that counts who holds it. */
const shared = () => {
  let holders = 1
  const share = () => ({
    path: '',
    bytes: 0,
    retain: () => {
      holders += 1
      return share()
    },
    release: () => {
      holders -= 1
    },
  })
  return { result: share(), holders: () => holders }
}

type Share = ReturnType<typeof shared>['result']

/** Work that lands or fails when it is told to, and rejects when it is ended. */
const work = () => {
  let begun = 0
  let signal: AbortSignal | undefined
  let land = (_: Share) => {}
  let fail = (_: Error) => {}
  const run = (given: AbortSignal): Promise<Share> => {
    begun += 1
    signal = given
    return new Promise((resolve, reject) => {
      land = resolve
      fail = reject
      given.addEventListener('abort', () => reject(given.reason))
    })
  }
  return {
    run,
    begun: () => begun,
    signal: () => signal,
    land: (share: Share) => land(share),
    fail: (error: Error) => fail(error),
  }
}

test('work is begun once for each name, however many ask', async () => {
  const flights = new SingleFlight<Share>()
  const [one, other] = [work(), work()]
  const asked = [flights.join('one', one.run), flights.join('one', one.run), flights.join('other', other.run)]
  expect([one.begun(), other.begun()]).toEqual([1, 1])
  one.land(shared().result)
  other.land(shared().result)
  await Promise.all(asked)
})

test('the work’s own share is given back when all have taken theirs', async () => {
  const flights = new SingleFlight<Share>()
  const { run, land } = work()
  const asked = [flights.join('name', run), flights.join('name', run)]
  const { result, holders } = shared()
  land(result)
  const shares = await Promise.all(asked)
  expect(holders()).toBe(2)
  for (const share of shares) share.release()
  expect(holders()).toBe(0)
})

test('a caller that leaves does not end the work of another', async () => {
  const flights = new SingleFlight<Share>()
  const { run, signal, land } = work()
  const leaving = new AbortController()
  const left = flights.join('name', run, leaving.signal)
  const staying = flights.join('name', run)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(signal()?.aborted).toBe(false)
  land(shared().result)
  await staying
})

test('the work ends when the last one leaves, and the next begins anew', async () => {
  const flights = new SingleFlight<Share>()
  const { run, begun, signal, land } = work()
  const leaving = new AbortController()
  const left = flights.join('name', run, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(signal()?.aborted).toBe(true)
  const next = flights.join('name', run)
  expect(begun()).toBe(2)
  land(shared().result)
  await next
})

test('all who wait are told of a failure, and the next begins anew', async () => {
  const flights = new SingleFlight<Share>()
  const { run, begun, fail, land } = work()
  const asked = [flights.join('name', run), flights.join('name', run)]
  fail(new Error('broken'))
  for (const each of asked) await expect(each).rejects.toThrow('broken')
  const next = flights.join('name', run)
  expect(begun()).toBe(2)
  land(shared().result)
  await next
})

test('ending tells all who wait why', async () => {
  const flights = new SingleFlight<Share>()
  const asked = flights.join('name', work().run)
  asked.catch(() => undefined)
  await flights.end(new Error('over'))
  await expect(asked).rejects.toThrow('over')
})
