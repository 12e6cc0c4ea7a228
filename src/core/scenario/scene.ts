import type { Account } from '../account/account.js'
import { changeTerms } from '../account/change-terms.js'
import type { Call, Change, Decision } from '../operation.js'
import type { Task } from '../task/task.js'
import type { Instant } from '../time/timeline.js'
import { type Occasion, occasionOfCall } from './occasion.js'
import { cueFor, noOutcome, type Outcome } from './play.js'
import type { Playing } from './playing.js'
import { takeBack } from './take-back.js'
import type { Then } from './then.js'
import { twistedAsset } from './twist-asset.js'
import { twistedTask } from './twist-task.js'

/** What scenarios have to do with one call. */
export interface Scene extends Outcome {
  /** The scenario that the call named for itself; left out where it named none. */
  readonly guest?: Playing
}

/** Asks what plays about a call, and does at once to the account what the step that acts has for it. */
export const openScene = (
  account: Account,
  operation: { readonly id: string },
  call: Call,
  now: Instant,
  guest?: Playing,
): Scene => {
  if (guest === undefined && account.playing.length === 0) return noOutcome
  return sceneOn(account, occasionOfCall(operation, call, account, now), guest)
}

/** The same for what is no call of an operation. */
export const sceneOn = (account: Account, occasion: Occasion, guest?: Playing): Scene => {
  const outcome = cueFor(guest === undefined ? account.playing : [guest, ...account.playing], occasion)
  const terms = outcome.cue?.does.account
  if (terms !== undefined) changeTerms(account, terms)
  return guest === undefined ? outcome : { ...outcome, guest }
}

/** What a decision made, and the scene once it is known whether there was anything to act on. */
export interface Twisted {
  readonly decision: Decision
  readonly scene: Scene
}

/** A decision as the step that acts has it: what it makes lives another life. */
export const twisted = (
  decision: Decision,
  scene: Scene,
  account: Readonly<Account>,
  deadlineOf: (task: Task) => Instant | undefined,
): Twisted => {
  const does = scene.cue?.does
  if (does === undefined && scene.guest === undefined) return { decision, scene }
  const makesSomething = decision.changes.some((change) => 'putTask' in change || 'putAsset' in change)
  if (does !== undefined && !makesSomething && isOnlyForWhatIsMade(does))
    return { decision, scene: missed(scene, account) }
  const twist = (change: Change): Change => {
    if ('putTask' in change) return twistedPut(change.putTask, does, scene.guest, deadlineOf)
    if ('putAsset' in change && does?.asset !== undefined)
      return { putAsset: twistedAsset(change.putAsset, does.asset) }
    return change
  }
  return { decision: { ...decision, changes: decision.changes.map(twist) }, scene }
}

const isOnlyForWhatIsMade = (does: Then): boolean =>
  Object.keys(does).every((part) => part === 'task' || part === 'asset')

const missed = (scene: Scene, account: Readonly<Account>): Scene => {
  const { guest } = scene
  return { ...scene, ...takeBack(guest === undefined ? account.playing : [guest, ...account.playing], scene) }
}

const twistedPut = (
  task: Task,
  does: Then | undefined,
  guest: Playing | undefined,
  deadlineOf: (task: Task) => Instant | undefined,
): Change => ({
  putTask: does?.task === undefined ? task : twistedTask(task, does.task, deadlineOf(task)),
  ...(guest === undefined ? {} : { guest }),
})
