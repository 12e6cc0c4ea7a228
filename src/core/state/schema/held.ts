import type { Account } from '../../account/account.js'
import type { Asset } from '../../asset/asset.js'
import type { Task } from '../../task/task.js'
import type { Elsewhere, StoredCallback, StoredHead, StoredQueue, StoredRun, StoredServer } from '../saved.js'
import type { Value } from './values.js'

/**
 * Holds what is written down against its schema. A field that a record of the core gains and its schema lacks would make
 * a file that cannot be read again; here it does not compile, and the message has the name of the record.
 */
export type AssertSchemasMatchRecords = None<
  {
    [K in keyof Pairs]: IsSame<Pairs[K][0], Pairs[K][1]> extends true ? never : K
  }[keyof Pairs]
>

interface Pairs {
  server: [StoredServer, Value<'server'>]
  // What is ordered is each family's own, and looked at by it alone.
  task: [Omit<Task, 'order'>, Omit<Value<'task'>, 'order'>]
  asset: [Asset, Value<'asset'>]
  callback: [Omit<StoredCallback, 'task'>, Omit<Value<'callback'>, 'task'>]
  correspondence: [Omit<StoredQueue, 'waiting' | 'held'>, Omit<Value<'correspondence'>, 'waiting' | 'held'>]
  account: [StoredHead, Value<'account'>]
  accountItself: [Omit<Account, Elsewhere>, Omit<StoredHead, 'settledTo' | 'callbacksEvicted' | 'playing'>]
  playing: [StoredRun, Value<'account'>['playing'][number]]
}

type None<T extends never> = T

type IsSame<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false

type Plain<T> = unknown extends T ? T : { -readonly [K in keyof T]-?: Plain<Exclude<T[K], undefined>> }
