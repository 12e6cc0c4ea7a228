import { describe, expect, test } from 'vitest'
import {
  idOfScenario,
  readAccounts,
  restoreAccount,
} from '../../../../src/emulator/accounts/persistence/account-records.js'
import { copyAccount, resumeAccount } from '../../../../src/emulator/accounts/persistence/resume-account.js'
import {
  documentOf,
  stateIn,
  storedStateOf,
} from '../../../../src/emulator/accounts/persistence/state-document.js'
import { nextDue, runDue } from '../../../../src/emulator/core/account/apply.js'
import { type Account, beginRun } from '../../../../src/emulator/core/model/account.js'
import { stepStatusesOf } from '../../../../src/emulator/core/scenario/explain.js'
import { countMatch, matchStep } from '../../../../src/emulator/core/scenario/match.js'
import { type Scenario, scenarioSchema } from '../../../../src/emulator/core/scenario/schema.js'
import {
  accepted,
  accountWith,
  CHALLENGE,
  conclusion,
  postingsAt,
  taskWith,
} from '../../core/callback/story.js'
import { createCall, playing, stepWhen } from '../../core/scenario/literals.js'

const documentOfAccount = (account: Account) => JSON.stringify(documentOf(storedStateOf(account, 0), 1))

/** The account written down and read again. */
const again = (account: Account, now: number): Account => {
  const [read] = readAccounts(stateIn(JSON.parse(documentOfAccount(account))), 1_000)
  if (read === undefined) throw new Error('It is not there.')
  return resumeAccount(read.account, read.settledTo, now)
}

describe('round trip', () => {
  const happens = (account: Account, now: number) =>
    runDue(account, now).events.map(({ at, kind, id, detail }) => [at, kind, id, detail])

  test('future moments are the same after a restart', () => {
    const account = accountWith(taskWith(CHALLENGE))
    const read = again(account, 0)
    expect(nextDue(read)).toBe(nextDue(account))
    expect(happens(read, 100_000)).toEqual(happens(account, 100_000))
  })

  test('past moments do not happen again after a restart', () => {
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

  test('a callback that was on its way is sent once more, under its id', () => {
    const account = accountWith(taskWith())
    const [sent] = postingsAt(account, 0)
    expect(postingsAt(again(account, 0), 0).map(({ callback }) => callback.id)).toEqual([sent?.callback.id])
  })

  test('a callback reports its task as it was, though the account has another one by now', () => {
    const account = accountWith(taskWith())
    const [before] = [...account.tasks.values()]
    if (before === undefined) throw new Error('There is no task.')
    account.tasks.set({ ...before, price: 99 }, account.tasks.nextOf(before.id))
    const read = again(account, 0)
    expect(read.tasks.get(before.id)?.price).toBe(99)
    expect([...read.callbacks.log.values()][0]?.task.price).toBe(before.price)
  })

  test('a copy goes its own way, and shares the records', () => {
    const account = accountWith(taskWith(CHALLENGE))
    const copy = resumeAccount(copyAccount(account), 0, 0)
    const before = documentOfAccount(account)
    postingsAt(copy, 0)
    happens(copy, 100_000)
    for (const id of [...copy.tasks.keys()]) copy.tasks.delete(id)
    expect(documentOfAccount(account)).toBe(before)
    expect([...copyAccount(account).tasks.values()][0]).toBe([...account.tasks.values()][0])
  })
})

describe('scenarios', () => {
  const scenario = (name: string, delay = '1s'): Scenario =>
    scenarioSchema.parse({ name, says: 'waits', steps: [{ then: { transport: { delay } } }] })

  const runsNow = (runs: Account['playing'], given: Scenario[], before: string[]) => {
    const account = { ...accountWith(taskWith()), playing: runs }
    account.clock = { mode: 'paused', speed: 1, now: 9, wall: 0 }
    const restored = restoreAccount({ account, settledTo: 0 }, { seed: 1, given, before, now: 0 })
    return restored.account.playing.map((run) => [run.scenario.name, run.since])
  }

  const played = (...scenarios: Scenario[]) => scenarios.map((one) => beginRun(one, 1, 5))

  test('two scenarios that say the same have one name', () => {
    expect(idOfScenario(scenario('one'))).toBe(idOfScenario(scenario('one', '1000ms')))
    expect(idOfScenario(scenario('one'))).not.toBe(idOfScenario(scenario('one', '2s')))
  })

  test.each([
    ['continues where the settings still list it', ['one'], [scenario('one')], [['one', 5]]],
    ['begins anew where it says something else', ['one'], [scenario('one', '2s')], [['one', 9]]],
    ['ends where it is given no more', ['one'], [], []],
    ['continues where it was begun by hand', [], [], [['one', 5]]],
    [
      'continues where it was begun by hand and the settings now list it',
      [],
      [scenario('one')],
      [['one', 5]],
    ],
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
    expect(runsNow(played(scenario('one')), now, before)).toEqual(expected)
  })

  test('a scenario of the settings that was stopped does not begin again', () => {
    expect(runsNow([], [scenario('one')], ['one'])).toEqual([])
  })

  test('how its steps stand is the same once it was written down, in the middle of calls that are only counted', () => {
    const play = playing(stepWhen({ nth: 9 }), stepWhen({ from: '1h' }))
    let runs: Account['playing'] = [play]
    for (let n = 0; n < 5; n += 1) runs = countMatch(runs, matchStep(runs, createCall()))
    const back = again({ ...accountWith(taskWith()), playing: runs }, 0).playing
    expect(stepStatusesOf(back)).toEqual(stepStatusesOf(runs))
    expect(stepStatusesOf(back)[0]?.lastMiss).toMatch(/; this was the fifth$/)
  })
})
