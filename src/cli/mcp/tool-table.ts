import type { ActionTypes } from '../../generated/action-types.js'

/** Name of a control action. */
export type ActionName = keyof ActionTypes

/** How a control action is offered as a tool. Its description and its input come from the table of control actions. */
export interface ToolDeclaration {
  /** What a call changes, as a sentence, or undefined where it only reads. */
  readonly changes?: string
  /** Whether a call loses what has happened. Default: no. */
  readonly isDestructive?: boolean
  /** Whether a second call with the same input changes nothing more. Default: no. */
  readonly isIdempotent?: boolean
  /** Whether a call may send something to other programs, such as a callback to its receiver. Default: no. */
  readonly callsOut?: boolean
  /** Number of items where the input names none; default: that of the action. */
  readonly limit?: number
  /** Fields of items that are long: only a search shows them. */
  readonly longFields?: readonly string[]
}

const reads: ToolDeclaration = {}
const advances = 'Moves the clock of the account: tasks go on, result URLs expire, callbacks are sent.'

/** Every control action: how it is offered as a tool, or why it is not. */
export const toolTable = {
  'operations.list': { longFields: ['body', 'query', 'samples'] },
  'dry-run': reads,
  'rules.list': reads,
  'gaps.list': reads,
  'requests.list': { limit: 10 },
  'requests.read': reads,
  'tasks.list': { limit: 20 },
  'tasks.read': reads,
  'tasks.force': { changes: 'Rewrites what has not happened yet of one task.', isIdempotent: true },
  'results.list': { limit: 20 },
  'clock.read': reads,
  'clock.advance': { changes: advances, callsOut: true },
  'clock.change': { changes: 'Changes the mode or the speed of the clock.', isIdempotent: true },
  'scenarios.list': { longFields: ['text', 'advice'] },
  'scenarios.words': reads,
  'scenarios.check': reads,
  'scenario.read': reads,
  'scenario.play': {
    changes: 'Plays a scenario for the account: later calls are answered otherwise, until it is stopped.',
  },
  'scenario.stop': { changes: 'Stops scenarios of the account.', isIdempotent: true },
  'callbacks.list': { limit: 20 },
  'callbacks.read': reads,
  'callbacks.redeliver': { changes: 'Sends a callback to its receiver once more.', callsOut: true },
  'inbox.list': reads,
  'inbox.read': reads,
  'timeline.read': reads,
  'loose-ends.read': reads,
  'verdict.read': reads,
  wait: reads,
  'account.read': reads,
  'account.change': {
    changes: 'Changes the balance, the agreement or the limits of the account.',
    isIdempotent: true,
  },
  'accounts.list': reads,
  reset: {
    changes: 'Loses all tasks, calls and callbacks of the account, which begins anew.',
    isDestructive: true,
    isIdempotent: true,
  },
  'snapshots.take': { changes: 'Keeps the present state of the account in memory.' },
  'snapshots.list': reads,
  'snapshots.remove': {
    changes: 'The snapshot cannot be restored any more.',
    isDestructive: true,
    isIdempotent: true,
  },
  'snapshots.restore': {
    changes: 'Replaces the account by the snapshot; what has happened since is lost.',
    isDestructive: true,
    isIdempotent: true,
  },
  'fixtures.list': reads,
  'profile.read': reads,
  'health.read': reads,
  'doctor.read': reads,
  finish: 'loose-ends.read, verdict.read and reset are its parts',
  'metrics.read': 'it is for monitors',
  'openapi.read': 'operations.list has the same in parts',
  'recording.read': '`backlot start --record` and the package write recordings into files',
  'events.read': 'it is a stream',
  'state.read': '`backlot state export` writes it into a file',
  'state.write': '`backlot state import` reads it from a file',
} satisfies Record<ActionName, ToolDeclaration | string>

/** Names of actions as tools: letters, digits and underscores, which every client takes. */
const toolName = (action: ActionName): string => action.replace(/[.-]/g, '_')

/** The actions that are tools, by the names of the tools. */
export const actionsByTool: ReadonlyMap<string, { readonly action: ActionName } & ToolDeclaration> = new Map(
  (Object.entries(toolTable) as [ActionName, ToolDeclaration | string][]).flatMap(([action, declared]) =>
    typeof declared === 'string' ? [] : [[toolName(action), { action, ...declared }] as const],
  ),
)
