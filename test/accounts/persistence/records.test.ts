import { describe, expect, test } from 'vitest'
import {
  accountFrom,
  idOfScenario,
  playingNow,
  scenarioRunFrom,
  storedRun,
} from '../../../src/accounts/persistence/account-records.js'
import { documentOfAccounts, savedIn } from '../../../src/accounts/persistence/export.js'
import { copyAccount, resumeAccount } from '../../../src/accounts/persistence/resume-account.js'
import type { Account } from '../../../src/core/model/account.js'
import { beginRun } from '../../../src/core/model/scenario-run.js'
import { stepStatusesOf } from '../../../src/core/scenario/explain.js'
import { matchStep } from '../../../src/core/scenario/match.js'
import { type Scenario, scenarioSchema } from '../../../src/core/scenario/schema.js'
import { nextDue, runDue } from '../../../src/core/schedule/run-due.js'
import {
  accepted,
  accountWith,
  CHALLENGE,
  conclusion,
  postingsAt,
  taskWith,
} from '../../core/callback/story.js'
import { createCall, playing, stepWhen } from '../../core/scenario/literals.js'

describe('round trip', () => {
  /** The account written down and read again. */
  const again = (account: Account, now: number): Account => {
    const saved = savedIn(JSON.parse(JSON.stringify(documentOfAccounts([account], 1, 0))))
    const [[key, one] = []] = saved.accounts
    if (key === undefined || one === undefined) throw new Error('It is not there.')
    return resumeAccount(accountFrom(key, one, saved.scenarios, 1_000), one.head?.settledTo ?? 0, now)
  }

  const happens = (account: Account, now: number) =>
    runDue(account, now).events.map(({ at, kind, id, detail }) => [at, kind, id, detail])

  test('what is to come is the same', () => {
    const account = accountWith(taskWith(CHALLENGE))
    const read = again(account, 0)
    expect(nextDue(read)).toBe(nextDue(account))
    expect(happens(read, 100_000)).toEqual(happens(account, 100_000))
  })

  test('what has happened does not happen again', () => {
    const account = accountWith({ ...taskWith(), price: 3 })
    const [sent] = postingsAt(account, 0)
    if (sent === undefined) throw new Error('Nothing was sent.')
    conclusion(account, sent, accepted, 0)
    runDue(account, 20_000)
    const read = again(account, 20_000)
    expect(read.spent).toBe(3)
    expect(postingsAt(read, 20_000).map(({ callback }) => callback.status)).toEqual(['running'])
    expect(read.spent).toBe(3)
  })

  test('what was on its way is sent once more, under its id', () => {
    const account = accountWith(taskWith())
    const [sent] = postingsAt(account, 0)
    expect(postingsAt(again(account, 0), 0).map(({ callback }) => callback.id)).toEqual([sent?.callback.id])
  })

  test('a callback reports its task as it was, though the account has another one by now', () => {
    const account = accountWith(taskWith())
    const [before] = [...account.tasks.values()]
    if (before === undefined) throw new Error('There is no task.')
    account.tasks.set(before.id, { ...before, price: 99 })
    const read = again(account, 0)
    expect(read.tasks.get(before.id)?.price).toBe(99)
    expect([...read.callbacks.log.values()][0]?.task.price).toBe(before.price)
  })

  test('a copy goes its own way, and shares the records', () => {
    const account = accountWith(taskWith(CHALLENGE))
    const copy = resumeAccount(copyAccount(account), 0, 0)
    const before = JSON.stringify(documentOfAccounts([account], 1, 0))
    postingsAt(copy, 0)
    happens(copy, 100_000)
    copy.tasks.clear()
    expect(JSON.stringify(documentOfAccounts([account], 1, 0))).toBe(before)
    expect([...copyAccount(account).tasks.values()][0]).toBe([...account.tasks.values()][0])
  })
})

describe('scenarios', () => {
  const scenario = (name: string, delay = '1s'): Scenario =>
    scenarioSchema.parse({ name, says: 'waits', steps: [{ then: { transport: { delay } } }] })

  const namesOf = (playing: ReturnType<typeof playingNow>) =>
    playing.map((play) => [play.scenario.name, play.since])

  const played = (...scenarios: Scenario[]) => scenarios.map((one) => beginRun(one, 1, 5))

  test('two scenarios that say the same have one name', () => {
    expect(idOfScenario(scenario('one'))).toBe(idOfScenario(scenario('one', '1000ms')))
    expect(idOfScenario(scenario('one'))).not.toBe(idOfScenario(scenario('one', '2s')))
  })

  test.each([
    ['goes on where it is given as before', ['one'], [scenario('one')], [['one', 5]]],
    ['begins anew where it says something else', ['one'], [scenario('one', '2s')], [['one', 9]]],
    ['ends where it is given no more', ['one'], [], []],
    ['goes on where it was begun by hand', [], [], [['one', 5]]],
    ['goes on where it was begun by hand and is given now', [], [scenario('one')], [['one', 5]]],
    [
      'is joined by one that is given now',
      ['one'],
      [scenario('one'), scenario('two')],
      [
        ['one', 5],
        ['two', 9],
      ],
    ],
  ])('one that plays %s', (_, before, now, expected) => {
    expect(namesOf(playingNow(played(scenario('one')), { now, before }, 1, 9))).toEqual(expected)
  })

  test('one that was given and was stopped does not begin again', () => {
    expect(playingNow([], { now: [scenario('one')], before: ['one'] }, 1, 9)).toEqual([])
  })

  test('how its steps stand is the same once it was written down, in the middle of calls that are only counted', () => {
    const play = playing(stepWhen({ nth: 9 }), stepWhen({ from: '1h' }))
    for (let n = 0; n < 5; n += 1) matchStep([play], createCall())
    const back = scenarioRunFrom(storedRun(play), play.scenario)
    expect(stepStatusesOf([back])).toEqual(stepStatusesOf([play]))
    expect(stepStatusesOf([back])[0]?.lastMiss).toMatch(/; this was the fifth$/)
  })
})
