import type { RequestRecord, TaskStatus } from '../../generated/control-api.js'
import { hasScenarioActed } from '../state/request-rows.js'

/** Symbol before a word that says the same to a screen reader: nothing is said by colour or symbol alone. */
export const Sign = ({ sign }: { sign: string }) => (
  <span class="sign" aria-hidden="true">
    {sign}
  </span>
)

const statusSigns: Readonly<Record<TaskStatus, string>> = {
  pending: '○',
  queued: '○',
  running: '◐',
  succeeded: '✓',
  failed: '✕',
  cancelled: '⊘',
  expired: '◷',
}

/** The states of a task, in their usual order. */
export const statuses = Object.keys(statusSigns)

/** Whether a task stays in a state. */
export const isFinal = (status: TaskStatus): boolean => !['pending', 'queued', 'running'].includes(status)

/** A state of a task: its sign and its word. */
export const StatusMark = ({ status }: { status: TaskStatus }) => (
  <span class={`status state-${status}`}>
    <Sign sign={statusSigns[status]} /> {status}
  </span>
)

/** Whether a call was answered as asked, was refused, or had a scenario act on it. */
const outcomeOf = (request: RequestRecord) => {
  if (hasScenarioActed(request) || request.connection !== undefined) return 'effect'
  return request.status >= 400 ? 'refused' : 'fine'
}

const outcomes = {
  fine: ['✓', 'answered'],
  refused: ['✕', 'refused'],
  effect: ['⚡︎', 'a scenario acted'],
} as const

/** The status of an answer with a sign for how it went. */
export const AnswerMark = ({ request }: { request: RequestRecord }) => {
  const outcome = outcomeOf(request)
  const [sign, word] = outcomes[outcome]
  const status =
    request.connection === undefined ? String(request.status) : connectionWords[request.connection]
  return (
    <span class={`answer outcome-${outcome}`} title={word}>
      <Sign sign={sign} /> {status}
    </span>
  )
}

const connectionWords = { reset: 'reset', 'no-answer': 'silent', 'cut-off': 'cut' } as const
