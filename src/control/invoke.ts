import type { z } from 'zod'
import { keysAt, MAX_DIAGNOSTICS, unknownKey } from '../core/diagnostics.js'
import { ControlError } from '../core/errors.js'
import { suggestingRefusals, valueAt } from '../core/request.js'
import { type AnyAction, accountKeys, type ControlContext } from './action.js'
import { type ActionName, actions } from './actions/index.js'

/**
 * Invokes a control action: validates the input, runs the action, and has the journal keep what it changed.
 * @throws ControlError `bad-input`, and those of the action
 */
export const invokeAction = async (
  context: ControlContext,
  name: ActionName,
  key: string,
  unparsed: unknown,
  disconnected?: AbortSignal,
): Promise<unknown> => {
  const action: AnyAction = actions[name]
  const input = parseInput(action, unparsed)
  // Journals and inboxes are read from memory, so that what other replicas have added has to be read first.
  const { shared } = context.store
  if (shared !== undefined && !ofThisProcess.includes(name))
    for (const accountKey of await accountKeys(context, key, input.all === true))
      await shared.catchUp(accountKey)
  if (action.route.method === 'GET' || action.recordedAs === 'nothing')
    return action.run(context, key, input, disconnected)
  let at = await context.store.read(key, (_, now) => now)
  let sequence = context.journals.nextSequence()
  let initialState = context.journals.initialStateOf(key)
  // Calls and advances go on between the beginning of an action, its transaction and its end.
  const transact: typeof context.store.transact = (of, change) =>
    context.store.transact(of, (account, now, effects) => {
      at = now
      sequence = context.journals.nextSequence()
      // Much was due, and the account was reset while it was run.
      initialState = context.journals.initialStateOf(key)
      return change(account, now, effects)
    })
  const result = await action.run({ ...context, store: { ...context.store, transact } }, key, input)
  // An advance waits for callbacks. The journal of an account that was reset meanwhile is gone.
  if (shared === undefined && context.journals.initialStateOf(key) !== initialState) return result
  const recorded = await action.recordedAs?.(result, input, context)
  context.journals.controlled(key, { at, sequence, action: name, input, ...recorded })
  context.events.emit('control', { account: key, task: name === 'tasks.force' ? input.id : undefined })
  return result
}

/** Actions that say how this process is, also while the store is away. */
const ofThisProcess: readonly ActionName[] = ['health.read', 'doctor.read', 'metrics.read']

/** Route of an action as text: `GET /_backlot/tasks/{id}`. */
export const routeText = ({ route }: AnyAction): string =>
  `${route.method} /_backlot${route.path.replace(/:(\w+)/g, '{$1}')}`

const parseInput = (action: AnyAction, unparsed: unknown) => {
  const parsed = action.input.safeParse(unparsed)
  if (parsed.success) return parsed.data
  throw new ControlError(400, 'bad-input', {
    message: describeIssues(action.input, parsed.error.issues, unparsed),
    hint: `See ${routeText(action)} in docs/control-api.md.`,
  })
}

type Issue = z.core.$ZodIssue

const describeIssues = (schema: z.ZodType, issues: readonly Issue[], input: unknown): string => {
  const sentences = issues.slice(0, MAX_DIAGNOSTICS).flatMap((issue) => describeIssue(issue, schema, input))
  const text = sentences.slice(0, MAX_DIAGNOSTICS).join('; ')
  return text.endsWith('?') ? text : `${text}.`
}

const describeIssue = (issue: Issue, schema: z.ZodType, input: unknown): string[] => {
  if (issue.code !== 'unrecognized_keys')
    return suggestingRefusals([issue], input).map(({ message }) => message)
  const variant = variantOf(schema, input)
  const known = keysAt(variant, issue.path)
  return issue.keys.slice(0, MAX_DIAGNOSTICS).map((key) => unknownKey(variant, issue.path, key, known))
}

/** The variant of a union that an input names (`for` of a wait), or the schema itself. */
const variantOf = (schema: z.ZodType, input: unknown): z.core.$ZodType => {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type !== 'union' || !('discriminator' in def)) return schema
  const name = String(def.discriminator)
  return def.options.find((variant) => hasDiscriminatorValue(variant, name, valueAt(input, [name]))) ?? schema
}

const hasDiscriminatorValue = (variant: z.core.$ZodType, name: string, word: unknown): boolean => {
  const { def } = (variant as z.core.$ZodTypes)._zod
  return def.type === 'object' && def.shape[name]?._zod.values?.has(word as string) === true
}
