import type { Account } from '../../account/account.js'
import type { Asset } from '../../asset/asset.js'
import type { Task } from '../../task/task.js'
import type {
  Elsewhere,
  SavedCallback,
  SavedCorrespondence,
  SavedHead,
  SavedPlaying,
  SavedServer,
} from '../saved.js'
import type { Value } from './values.js'

/**
 * Holds what is written down against its schema. A field that a record of the core gains and its schema lacks would make
 * a file that cannot be read again; here it does not compile, and the message has the name of the record.
 */
export type EveryRecordIsReadAsItIsWritten = None<
  {
    [K in keyof Pairs]: IsSame<Pairs[K][0], Pairs[K][1]> extends true ? never : K
  }[keyof Pairs]
>

interface Pairs {
  server: [SavedServer, Value<'server'>]
  // What is ordered is each family's own, and looked at by it alone.
  task: [Omit<Task, 'order'>, Omit<Value<'task'>, 'order'>]
  asset: [Asset, Value<'asset'>]
  callback: [Omit<SavedCallback, 'task'>, Omit<Value<'callback'>, 'task'>]
  correspondence: [
    Omit<SavedCorrespondence, 'waiting' | 'held'>,
    Omit<Value<'correspondence'>, 'waiting' | 'held'>,
  ]
  account: [SavedHead, Value<'account'>]
  accountItself: [Omit<Account, Elsewhere>, Omit<SavedHead, 'settledTo' | 'callbacksEvicted' | 'playing'>]
  playing: [SavedPlaying, Value<'account'>['playing'][number]]
}

type None<T extends never> = T

type IsSame<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : false) : false

type Plain<T> = unknown extends T ? T : { -readonly [K in keyof T]-?: Plain<Exclude<T[K], undefined>> }
