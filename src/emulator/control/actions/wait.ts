import { z } from 'zod'
import { OTHERS_ARE_CALLED } from '../../core/account/account.js'
import { nextDue } from '../../core/account/apply.js'
import { counted } from '../../core/count-words.js'
import { ControlError } from '../../core/errors.js'
import type { Account } from '../../core/model/account.js'
import { isFinal, type State, viewAt } from '../../core/model/task.js'
import {
  advanceHint,
  formatDuration,
  type Instant,
  isoOf,
  LONGEST_TIMER_MS,
  momentCountAt,
  parseDuration,
} from '../../core/schedule/time.js'
import { clearTimeout, nextTurn, setTimeout } from '../../timers.js'
import { action, type ControlContext, integerFrom, pageOf, type ReadonlyDeep } from '../action.js'
import { validateFilters } from '../rules.js'
import { callbackFilter, callbackRecord, callbackRecordFor, messageRecord, messagesIn } from './callbacks.js'
import { clockReading } from './clock.js'
import { requestFilter, requestRecord, requestRecordOf } from './requests.js'
import { statusInput, taskRecord, taskRecordOf } from './tasks.js'

const timeout = z.string().default('5s').describe('how long to wait, in real time')
const count = integerFrom(z.number().min(1)).prefault(1).describe('how many there have to be')

const conditionSchemas = [
  z.strictObject({ for: z.literal('task'), id: z.string(), status: statusInput.optional(), timeout }),
  requestFilter.extend({ for: z.literal('request'), count, timeout }),
  callbackFilter.extend({ for: z.literal('callback'), count, timeout }),
  z.strictObject({ for: z.literal('inbox'), name: z.string().min(1), count, timeout }),
  z.strictObject({ for: z.literal('idle'), timeout }),
] as const

const conditionNames = conditionSchemas.map(({ shape }) => shape.for.value)

const waitInput = z.discriminatedUnion('for', conditionSchemas, {
  error: `one of ${conditionNames.join(', ')}`,
})
type WaitInput = z.output<typeof waitInput>
type WaitFor<What extends WaitInput['for']> = Extract<WaitInput, { for: What }>

const waitOutput = () =>
  z.union([
    taskRecord(),
    pageOf(requestRecord()),
    pageOf(callbackRecord()),
    pageOf(messageRecord()),
    z.object({ next: z.string().nullable(), callbacks: z.number() }),
  ])

export const waitActions = {
  wait: action({
    route: { method: 'GET', path: '/wait' },
    summary:
      'Answers when the event has happened, or with 408 and a list of what has happened when it has not within the timeout. `task` waits for a status, or the end. No clock is moved',
    input: waitInput,
    output: waitOutput,
    run: async (context, key, input, disconnected) => {
      if (input.for === 'request') validateFilters(context.registry, input)
      const release = context.waiting.tryAcquire()
      if (release === undefined) throw tooManyWait(context)
      context.quotas.observe('waits', context.waiting.held)
      try {
        return await waitUntil(context, key, input, disconnected)
      } finally {
        release()
      }
    },
  }),
}

const tooManyWait = ({ quotas, settings: { waitsAtOnce } }: ControlContext): ControlError => {
  quotas.refuse('waits')
  return new ControlError(429, 'too-many-waits', {
    message: `${counted(waitsAtOnce, 'call waits', 'calls wait')} already, and the setting waitsAtOnce is ${waitsAtOnce}.`,
    hint: 'Wait for fewer things at a time, or raise the setting.',
  })
}

type WaitOutput = ReadonlyDeep<z.output<ReturnType<typeof waitOutput>>>

/** State of a wait condition. Its long parts are functions: they are made for the answer only, after many checks. */
interface ConditionState {
  readonly isMet: boolean
  /** What there is, met or not: the answer of the action, and a part of its errors; null: there is no such task. */
  readonly answer: () => WaitOutput | null
  /** Sentence without a full stop that says what is missing. */
  readonly missing: () => string | Promise<string>
  /** Whether it can never be met any more. */
  readonly isImpossible?: boolean
}

const check = async (context: ControlContext, key: string, input: WaitInput): Promise<ConditionState> => {
  switch (input.for) {
    case 'task':
      return checkTask(context, key, input)
    case 'request':
      return checkRequests(context, key, input)
    case 'callback':
      return checkCallbacks(context, key, input)
    case 'inbox':
      return checkMessages(context, key, input)
    case 'idle':
      return checkIdle(context, key)
  }
}

// A status that was reached and left again counts: a wait for `running` may begin late.
const checkTask = (
  { store }: ControlContext,
  key: string,
  { id, status }: WaitFor<'task'>,
): Promise<ConditionState> =>
  store.read(key, ({ tasks }, now) => {
    const task = tasks.get(id)
    if (task === undefined)
      return { isMet: false, answer: () => null, missing: () => `This account has no task ${id}` }
    const view = viewAt(task, now)
    const past = task.timeline.slice(0, Math.max(1, momentCountAt(task.timeline, now)))
    const isOver = past.length === task.timeline.length && isFinal(view.phase)
    const reached = status === undefined ? isOver : past.some(({ value }) => value.state === status)
    const missed = status === undefined ? 'has not ended' : `has not become ${status}`
    return {
      isMet: reached,
      answer: () => taskRecordOf(view),
      missing: () => `The task ${id} ${missed}: it is ${view.phase.state} since ${isoOf(view.since)}`,
      isImpossible: isOver && !reached,
    }
  })

const checkRequests = (
  { journals }: ControlContext,
  key: string,
  { for: _, count, timeout: __, ...filter }: WaitFor<'request'>,
): ConditionState => {
  const journal = journals.journalOf(key)
  const { total } = journal.page(filter, 0, 0)
  const callTexts = () => journal.list().map(({ method, path, status }) => `${method} ${path} (${status})`)
  return {
    isMet: total >= count,
    answer: () => ({ items: journal.list(filter).map(requestRecordOf), total }),
    missing: () =>
      `${total} of ${count} such requests came${journal.evicted === 0 ? '' : `, not counting ${journal.evicted} calls that were evicted`}; ${latestText(callTexts(), 'request', 'came to this account')}`,
  }
}

const checkCallbacks = async (
  context: ControlContext,
  key: string,
  { for: _, count, timeout: __, state = 'delivered', ...filter }: WaitFor<'callback'>,
): Promise<ConditionState> => {
  const { items } = await context.callbacks.list(key, { ...filter, state })
  const callbackTexts = async () =>
    (await context.callbacks.list(key)).items.map(
      ({ taskId, kind, status, state }) => `${status ?? kind} of ${taskId} (${state})`,
    )
  return {
    isMet: items.length >= count,
    answer: () => ({ items: items.map(callbackRecordFor(key)), total: items.length }),
    missing: async () =>
      `${items.length} of ${count} such callbacks are there; ${latestText(await callbackTexts(), 'callback', 'is in the log')}`,
  }
}

const checkMessages = (
  context: ControlContext,
  key: string,
  { name, count }: WaitFor<'inbox'>,
): ConditionState => {
  const { items } = messagesIn(context, key, name)
  return {
    isMet: items.length >= count,
    answer: () => ({ items, total: items.length }),
    missing: () => `${items.length} of ${count} messages are in the box ${name}`,
  }
}

// A callback that is on its way is not in the schedule, and may yet have to be tried again.
const checkIdle = ({ store }: ControlContext, key: string): Promise<ConditionState> =>
  store.read(key, (account, now) => {
    const next = nextDue(account)
    const queues = [...account.callbacks.queues.values()].filter(({ waiting }) => waiting.length > 0)
    return {
      isMet: next === undefined && queues.length === 0,
      answer: () => ({ next: next === undefined ? null : isoOf(next), callbacks: queues.length }),
      missing: () =>
        next === undefined
          ? `Callbacks of ${queues.length === 1 ? 'one task' : `${queues.length} tasks`} are on their way`
          : [`Something is left to happen, next at ${isoOf(next)}`, unfinishedTasks(account, now)]
              .filter((part) => part !== '')
              .join(': '),
    }
  })

const unfinishedTasks = ({ tasks }: Account, now: Instant): string => {
  const unfinished = tasks.page(({ state }) => unfinishedStates.includes(state), now, 0, MAX_SHOWN)
  const lines = unfinished.items
    .toReversed()
    .map((task) => `the task ${task.id} is ${viewAt(task, now).phase.state}`)
  return shortened(lines, unfinished.total)
}

const unfinishedStates: readonly State[] = ['pending', 'queued', 'running']

const MAX_SHOWN = 5

const latestText = (lines: readonly string[], noun: string, verb: string): string =>
  lines.length === 0 ? `no ${noun} ${verb}` : `the latest ${noun}s: ${shortened(lines)}`

const shortened = (lines: readonly string[], total = lines.length): string => {
  const shown = lines.slice(0, MAX_SHOWN).join(', ')
  return total > MAX_SHOWN ? `${shown} and ${total - MAX_SHOWN} more` : shown
}

/** Events after which a condition may be met. */
const EVENTS = ['happening', 'request', 'callback', 'inbox', 'account'] as const

/**
 * Waits until a condition is met: checks it now and after each change of the account. It ends early when the client has gone.
 * @throws ControlError `not-yet` after the timeout in real time, `never` when it can never be met any more, `stopped` when the
 * emulator stops
 */
const waitUntil = async (
  context: ControlContext,
  key: string,
  input: WaitInput,
  disconnected: AbortSignal | undefined,
): Promise<WaitOutput> => {
  const { events, store } = context
  const timeoutMs = parseDuration(input.timeout, 'timeout')
  // A client can leave before its wait begins: a signal that is aborted already brings no event.
  let isOver = disconnected?.aborted === true
  let wake = () => {}
  const onEvent = ({ account }: { readonly account: string }) => {
    if (account === key) wake()
  }
  const end = () => {
    isOver = true
    wake()
  }
  const timer = setTimeout(end, Math.min(timeoutMs, LONGEST_TIMER_MS))
  for (const name of EVENTS) events.on(name, onEvent)
  events.once('stopping', end)
  disconnected?.addEventListener('abort', end)
  const unfollow = store.follow(key)
  try {
    for (;;) {
      // Made before the check, so that a change meanwhile is not missed.
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const isLastCheck = isOver
      const state = await check(context, key, input)
      if (state.isMet) return state.answer() as WaitOutput
      if (state.isImpossible === true) throw await neverError(state)
      if (context.isStopping()) throw stoppedError()
      if (isLastCheck) throw await notYetError(state, timeoutMs, await hintFor(context, key))
      await changed
      // All events of a turn of the event loop are one change.
      await nextTurn()
    }
  } finally {
    clearTimeout(timer)
    unfollow()
    events.off('stopping', end)
    for (const name of EVENTS) events.off(name, onEvent)
  }
}

const notYetError = async ({ missing, answer }: ConditionState, timeoutMs: number, hint: string) => {
  const message = `Waited for ${formatDuration(timeoutMs)}. ${await missing()}.`
  return new ControlError(408, 'not-yet', { message, hint, found: answer() })
}

const neverError = async ({ missing, answer }: ConditionState) => {
  const message = `${await missing()}, and nothing more will come of it.`
  return new ControlError(409, 'never', { message, found: answer() })
}

const stoppedError = (): ControlError =>
  new ControlError(503, 'stopped', {
    message: 'The emulator was stopped.',
    hint: 'Await this before stop(), or start another one.',
  })

const hintFor = async (context: ControlContext, key: string): Promise<string> => {
  if (await areOthersCalled(context, key)) return OTHERS_ARE_CALLED
  return context.store.read(key, (account, now) => {
    const { mode, next } = clockReading(account, now)
    return advanceHint(mode, isoOf(now), next) ?? 'Wait longer with timeout, or look at what there is.'
  })
}

const areOthersCalled = async ({ store }: ControlContext, key: string): Promise<boolean> => {
  const callsOf = (account: string) => store.read(account, ({ requests }) => requests)
  if ((await callsOf(key)) > 0) return false
  return (await Promise.all((await store.keys()).map(callsOf))).some((calls) => calls > 0)
}
