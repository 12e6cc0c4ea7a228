import { expect, test } from 'vitest'
import { createMemoryStore, createOwners } from '../../src/accounts/store.js'
import { apply } from '../../src/core/account/apply.js'
import { openAccount } from '../../src/core/model/account.js'
import { settingsSchema } from '../../src/core/settings.js'
import { assetWith } from '../core/asset-literals.js'

const newStore = () =>
  createMemoryStore((key) =>
    openAccount(key, settingsSchema.parse({}), { mode: 'paused', speed: 1, now: 0, wall: 0 }),
  )

test('an id leads to the account that it was given by', () => {
  const owners = createOwners()
  owners.give('task_1', 'alice')
  expect(owners.of('task_1')).toBe('alice')
  expect(owners.of('task_2')).toBeUndefined()
})

test('an id of several leads to the one that is asked for first, else to the first that had it', () => {
  const owners = createOwners()
  owners.give('task_1', 'alice')
  owners.give('task_1', 'bob')
  expect(owners.of('task_1')).toBe('alice')
  expect(owners.of('task_1', 'bob')).toBe('bob')
  expect(owners.of('task_1', 'carol')).toBe('alice')
})

test('an id is free again when its last owner is gone', () => {
  const owners = createOwners()
  owners.give('task_1', 'alice')
  owners.give('task_1', 'bob')
  owners.drop('task_1', 'alice')
  expect(owners.of('task_1')).toBe('bob')
  owners.drop('task_1', 'bob')
  expect(owners.of('task_1')).toBeUndefined()
})

test('a store that forgets an account forgets what was its own', async () => {
  const store = newStore()
  await store.run('alice', (account, owners) => {
    apply(account, [{ putAsset: assetWith() }])
    owners.give('task_1', 'alice')
  })
  expect(await store.ownerOf('task_1')).toBe('alice')
  await store.forget('alice')
  expect(await store.ownerOf('task_1')).toBeUndefined()
})
