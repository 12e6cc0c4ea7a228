import { expect, test } from 'vitest'
import type { Account } from '../../../src/core/account/account.js'
import { nextDue, runDue } from '../../../src/core/account/settle.js'
import { copyAccount } from '../../../src/core/state/copy.js'
import { documentOfAccounts, savedIn } from '../../../src/core/state/document.js'
import { accountFrom } from '../../../src/core/state/load.js'
import { resumeAccount } from '../../../src/core/state/resume.js'
import { accepted, accountWith, CHALLENGE, conclusion, postingsAt, taskWith } from '../callback/story.js'

/** The account written down and read again. */
const again = (account: Account, now: number): Account => {
  const saved = savedIn(JSON.parse(JSON.stringify(documentOfAccounts([account], 1, 0))))
  const [[key, one] = []] = saved.accounts
  if (key === undefined || one === undefined) throw new Error('It is not there.')
  return resumeAccount(accountFrom(key, one, saved.scenarios, 1_000), one.head?.settledTo ?? 0, now)
}

const happens = (account: Account, now: number) =>
  runDue(account, now).map(({ at, kind, id, detail }) => [at, kind, id, detail])

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
