/** Made and gone within one call, or never written to. */
const BRIEF = 'it goes with the call, or never grows'

/**
 * Every file whose maps, sets and caches could grow, with what keeps them from growing without end: a quota (by its name
 * in core/quotas.ts), or a sentence. Folders end in `/` and stand for all their files. Recordings and the command line are
 * no part of it: they are read by a process that ends.
 */
export const collections: Readonly<Record<string, string>> = {
  'accounts/clock.ts': 'calls that move a clock: connections',
  'accounts/journals.ts': 'journal-entries, journal-bytes, accounts; listeners are those who called',
  'accounts/persistence/': 'accounts; what has changed since the last write; the kinds of records',
  'accounts/persistence/snapshots.ts': 'snapshots',
  'accounts/account-quotas.ts': 'accounts',
  'accounts/usage.ts': 'accounts',
  'accounts/store.ts': 'accounts, assets-in-all',
  'accounts/tracked.ts':
    'tasks-per-account, assets-per-account, callback-log; what has changed since the last batch',
  'accounts/wake-timer.ts': 'accounts',
  'callbacks/body.ts': BRIEF,
  'callbacks/dispatcher.ts': 'callbacks that are due: those of tasks that have not ended',
  'callbacks/inbox.ts': 'inbox-messages, inbox-bytes, accounts',
  'client/': BRIEF,
  'concurrency.ts': 'holders and waiters: connections, callbacks that are due, renders-waiting',
  'control-ports.ts': BRIEF,
  'control/': BRIEF,
  'core/account/account.ts': 'tasks-per-account, assets-per-account',
  'core/account/task-table.ts': 'tasks-per-account',
  'core/account/account-id.ts': 'it is emptied when it is full',
  'core/account/random.ts': 'a few sizes of ids, written in the code',
  'core/collections/': 'as many groups as there are families, models and states',
  'core/journal/': BRIEF,
  'core/media/': BRIEF,
  'core/result.ts': 'it is emptied when it is full',
  'core/scenario/': 'the steps of each scenario that there is',
  'core/schedule/schedule.ts': 'tasks-per-account, assets-per-account',
  'core/settings.ts': 'the settings that were renamed',
  'core/errors.ts': BRIEF,
  'core/diagnostics.ts': BRIEF,
  'core/task/': BRIEF,
  'coverage/':
    'the points that there are, and the tasks and callbacks of accounts; only in a run of tests that is counted',
  'families/': BRIEF,
  'listen.ts': 'connections',
  'media/':
    'inputs, media-on-disk, media-in-memory, renders, renders-waiting, uploads; the fixtures, facts of 1,000 inputs, and the characters of the one font',
  'net/proxy-exemption.ts': BRIEF,
  'observability/': 'the operations, statuses, families, states and dependencies that there are',
  'openapi/': 'it is emptied when it is full',
  'replicas/':
    'accounts (maxAccounts); the tasks whose callbacks are in flight; the scenarios of each account',
  'scenarios/': 'the ready-made scenarios',
  'service/': BRIEF,
  'service/effects/': 'connections',
  'service/large-body/': 'bodies',
  'service/listener.ts': 'connections, and the setting requestsAtOncePerConnection',
  'sweep/': 'the accounts, tasks and orders of one run of the command; only in a sweep',
}
