import type { z } from 'zod'
import { textOfNote } from '../accounts/notes.js'
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
  if (!ofThisProcess.includes(name))
    for (const accountKey of await accountKeys(context, key, input.all === true))
      await context.store.catchUp(accountKey)
  if (action.route.method === 'GET' || action.recordedAs === 'nothing')
    return action.run(context, key, input, disconnected)
  const { journals, store } = context
  const placeAt = (at: number) => ({
    recorded: { at, sequence: journals.nextSequence() },
    initialState: journals.initialStateOf(key),
  })
  let place = placeAt(await store.read(key, (_, now) => now))
  // Calls and advances go on, and the account may be reset, before the transaction of an action and after it.
  const transact: typeof store.transact = (of, change) =>
    store.transact(of, (account, now, effects) => {
      place = placeAt(now)
      return change(account, now, effects)
    })
  const result = await action.run({ ...context, store: { ...store, transact } }, key, input)
  // An advance waits for callbacks. The journal of an account that was reset meanwhile is gone.
  if (journals.hasBegunAnew(key, place.initialState)) return result
  const recorded = await action.recordedAs?.(result, input, context)
  const control = { ...place.recorded, action: name, input, ...recorded }
  journals.controlled(key, control)
  store.note(key, () => textOfNote({ control })).catch(context.onInternalError)
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
