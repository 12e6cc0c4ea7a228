import type { RequestRecord, TaskStatus } from '../../generated/control-api.js'

/** Marks of states: each has a sign and a word, so that nothing is said by colour alone. */
const marks: Readonly<Record<TaskStatus, string>> = {
  pending: '○',
  queued: '○',
  running: '◐',
  succeeded: '✓',
  failed: '✕',
  cancelled: '⊘',
  expired: '◷',
}

/** The states of a task, in their usual order. */
export const statuses = Object.keys(marks)

/** A state of a task: its sign and its word. */
export const StatusMark = ({ status }: { status: TaskStatus }) => (
  <span class={`status state-${status}`}>
    <span class="sign" aria-hidden="true">
      {marks[status]}
    </span>{' '}
    {status}
  </span>
)

export type Outcome = 'fine' | 'refused' | 'effect'

/** Whether a call was answered as asked, was refused, or had a scenario act on it. */
export const outcomeOf = ({ status, scenario, connection }: RequestRecord): Outcome => {
  if (scenario?.acted != null || connection !== undefined) return 'effect'
  return status >= 400 ? 'refused' : 'fine'
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
      <span class="sign" aria-hidden="true">
        {sign}
      </span>{' '}
      {status}
    </span>
  )
}

const connectionWords = { reset: 'reset', 'no-answer': 'silent', 'cut-off': 'cut' } as const
