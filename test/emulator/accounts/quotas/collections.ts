/** Made and gone within one call, or never written to. */
const BRIEF = 'it goes with the call, or never grows'

/**
 * Every file whose maps, sets and caches could grow, with what keeps them from growing without end: a quota (by its name
 * in emulator/quotas.ts), or a sentence. Folders end in `/` and stand for all their files. Recordings, what calls the real service
 * and the command line are no part of it: they run in a process that ends.
 */
export const collections: Readonly<Record<string, string>> = {
  'emulator/accounts/clock.ts': 'calls that move a clock: connections',
  'emulator/accounts/journals.ts': 'journal-entries, journal-bytes, accounts; listeners are those who called',
  'emulator/accounts/notes.ts': 'media of one call',
  'emulator/accounts/persistence/': 'accounts; what has changed since the last write; the kinds of records',
  'emulator/accounts/persistence/snapshots.ts': 'snapshots',
  'emulator/accounts/store.ts': 'accounts, assets-in-all',
  'emulator/accounts/tracked.ts':
    'tasks-per-account, assets-per-account, callback-log; what has changed since the last batch',
  'emulator/accounts/wake-timer.ts': 'accounts',
  'emulator/callbacks/body.ts': BRIEF,
  'emulator/callbacks/dispatcher.ts': 'callbacks that are due: those of tasks that have not ended',
  'emulator/callbacks/inbox.ts': 'inbox-messages, inbox-bytes, accounts',
  'emulator/client/': BRIEF,
  'emulator/composition/service.ts': 'connections',
  'emulator/concurrency.ts': 'holders and waiters: connections, callbacks that are due, renders-waiting',
  'emulator/control-ports.ts': BRIEF,
  'emulator/control/': BRIEF,
  'emulator/core/account/account.ts': 'tasks-per-account, assets-per-account',
  'emulator/core/account/task-table.ts': 'tasks-per-account',
  'emulator/core/account/account-id.ts': 'it is emptied when it is full',
  'emulator/core/account/random.ts': 'a few sizes of ids, written in the code',
  'emulator/core/collections/': 'as many groups as there are families, models and states',
  'emulator/core/journal/': BRIEF,
  'emulator/core/media/': BRIEF,
  'emulator/core/quotas.ts': 'accounts',
  'emulator/core/result.ts': 'it is emptied when it is full',
  'emulator/core/scenario/': 'the steps of each scenario that there is',
  'emulator/core/schedule/schedule.ts': 'tasks-per-account, assets-per-account',
  'emulator/settings.ts': 'the settings that were renamed',
  'emulator/core/errors.ts': BRIEF,
  'emulator/core/diagnostics.ts': BRIEF,
  'emulator/core/fields.ts': BRIEF,
  'emulator/core/task/': BRIEF,
  'emulator/core/verdict/': BRIEF,
  'resilience/coverage/':
    'the points that there are, and the tasks and callbacks of accounts; only in a run of tests that is counted',
  'emulator/families/': BRIEF,
  'emulator/listen.ts': 'connections',
  'emulator/media/':
    'inputs, media-on-disk, media-in-memory, renders, renders-waiting, uploads; the fixtures, facts of 1,000 inputs, and the characters of the one font',
  'emulator/net/proxy-exemption.ts': BRIEF,
  'emulator/plugins/': BRIEF,
  'emulator/profile/': BRIEF,
  'emulator/profile/answers.ts': 'the operations, states and errors that there are',
  'emulator/profile/load.ts': 'the routes of the profile',
  'emulator/observability/': 'the operations, statuses, families, states and dependencies that there are',
  'emulator/openapi/': 'it is emptied when it is full',
  'emulator/verified/': BRIEF,
  'replicas/':
    'accounts (maxAccounts); the tasks whose callbacks are in flight; the scenarios of each account',
  'emulator/scenarios/': 'the ready-made scenarios',
  'emulator/service/': BRIEF,
  'emulator/service/effects/': 'connections',
  'emulator/service/large-body/': 'bodies',
  'emulator/service/listener.ts': 'connections, and the setting requestsAtOncePerConnection',
  'resilience/sweep/': 'the accounts, tasks and orders of one run of the command; only in a sweep',
}
