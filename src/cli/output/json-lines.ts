import { accountIdOf } from '../../core/account/account.js'
import type { Events } from '../../core/events.js'
import { redactedText } from '../../core/journal/redact.js'
import { version } from '../../server/version.js'
import { callbackFacts } from './callback-facts.js'
import { problemMessage } from './problem-message.js'
import type { Print, Reporter, Started } from './reporter.js'

/** One JSON event per line, for programs. The first one says where the emulator is. */
export const jsonLines = (print: Print, { isQuiet = false } = {}): Reporter => {
  const tell = (event: object) => print(JSON.stringify(event))
  return {
    started: (started) => tell(readyEvent(started)),
    ...(isQuiet
      ? {}
      : {
          events: {
            request: (entry) => tell(requestEvent(entry)),
            happening: (happening) => tell(happeningEvent(happening)),
            bound: (hit) => tell({ event: 'bound', ...hit }),
            trouble: (trouble) => tell({ event: 'trouble', ...trouble }),
          },
        }),
    stopped: () => tell({ event: 'stopped' }),
  }
}

const readyEvent = ({ url, port, emulator }: Started) => ({
  event: 'ready',
  url,
  port,
  pid: process.pid,
  version,
  seed: emulator.settings.seed,
  // One that was given is known to whoever gave it.
  ...(emulator.madeToken === undefined ? {} : { controlToken: emulator.madeToken }),
})

const isoOf = (at: number): string => new Date(at).toISOString()

// Keys are never printed: an account is named by its tag.
const requestEvent = (entry: Events['request'][0]) => ({
  event: 'request',
  at: isoOf(entry.at),
  id: entry.id,
  account: accountIdOf(entry.account),
  method: entry.method,
  path: redactedText(entry.path, entry.account),
  status: entry.status,
  operation: entry.operation ?? null,
  task: entry.task ?? null,
  problem: problemMessage(entry) ?? null,
})

const happeningEvent = ({ at, kind, id, detail, account, task, callback }: Events['happening'][0]) => ({
  event: kind,
  at: isoOf(at),
  id,
  account: accountIdOf(account),
  status: detail,
  ...(task === undefined ? {} : { family: task.family, model: task.model }),
  ...(callback === undefined ? {} : callbackFacts(callback)),
})
