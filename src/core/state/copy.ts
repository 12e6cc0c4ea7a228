import type { Account } from '../account/account.js'
import { createSchedule } from '../account/agenda.js'
import type { CallbackQueue } from '../callback/book.js'
import type { ScenarioRun } from '../scenario/playing.js'

/**
 * The same account a second time, so that what becomes of one does not become of the other. Records are shared, since
 * nothing rewrites them; what is rewritten is copied. The agenda is empty (`resumed` fills it).
 */
export const copyAccount = (account: Account): Account => ({
  ...account,
  recentCreates: [...account.recentCreates],
  tasks: new Map(account.tasks),
  open: new Map(account.open),
  assets: new Map(account.assets),
  jobs: new Map(account.jobs),
  agenda: createSchedule(),
  callbacks: {
    ...account.callbacks,
    correspondences: new Map(
      [...account.callbacks.correspondences].map(([id, one]) => [id, copyOfCorrespondence(one)]),
    ),
    log: new Map(account.callbacks.log),
  },
  playing: account.playing.map(copyOfPlaying),
})

const copyOfCorrespondence = ({ waiting, held, guest, ...rest }: CallbackQueue): CallbackQueue => ({
  ...rest,
  waiting: [...waiting],
  held: [...held],
  ...(guest === undefined ? {} : { guest: copyOfPlaying(guest) }),
})

const copyOfPlaying = ({ seen, acted, latest, ...rest }: ScenarioRun): ScenarioRun => ({
  ...rest,
  seen: [...seen],
  acted: [...acted],
  latest: { ...latest },
})
