import { decisionContextOf } from '../accounts/decision-context.js'
import { phaseSchema } from '../accounts/persistence/schemas.js'
import { openAccount } from '../core/account/account.js'
import { apply } from '../core/account/apply.js'
import type { AnyFamily, AnyTaskFamily, Decision } from '../core/contract.js'
import type { Pixels } from '../core/media/input.js'
import type { Call } from '../core/model/call.js'
import { FOR_EVER, states, type Task, viewAt } from '../core/model/task.js'
import { notJson, suggestingRefusals } from '../core/request.js'
import type { Settings } from '../core/settings.js'
import { operationsOf } from '../core/task/operations.js'

/** Key of the account of a trial, which no call can have. */
const TRIAL_KEY = 'trial'
const START = Date.UTC(2026, 0, 1)

/**
 * What a family from outside returns that the contract forbids, in sentences without a full stop: it writes each of its errors,
 * and makes, shows and ends a task of each of its sample requests, for an account that exists for the trial alone.
 */
export const trialProblems = (family: AnyFamily, settings: Settings): string[] => {
  const { errors, respond } = family
  const ofErrors = Object.entries(errors).flatMap(([name, row]) =>
    returning(`respond.error of ${name}`, () =>
      jsonProblem(`respond.error of ${name}`, respond.error({ error: name }, 'request-1', row)),
    ),
  )
  if (ofErrors.length > 0 || !('routes' in family)) return ofErrors
  const ofCalls = [
    ...returning('maxBodyBytes', () => limitProblem(family, settings)),
    ...notFoundProblem(family),
  ]
  if (ofCalls.length > 0) return ofCalls
  const samples = (family.samples ?? []).filter(({ operation }) => operation === `${family.id}.create`)
  return samples.flatMap(({ name, body }) =>
    returning(`the sample ${name}`, () => tryCreate(family, name, body, settings)),
  )
}

const returning = (what: string, run: () => string[]): string[] => {
  try {
    return run()
  } catch (error) {
    return [`${what} ends with ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`]
  }
}

const limitProblem = ({ maxBodyBytes }: AnyTaskFamily, settings: Settings): string[] => {
  const bytes: unknown = maxBodyBytes(settings)
  return typeof bytes === 'number' && bytes > 0
    ? []
    : [`maxBodyBytes must return a number above 0, found ${bytes}`]
}

const notFoundProblem = ({ notFound, errors }: AnyTaskFamily): string[] =>
  returning('notFound', () => {
    const error = notFound?.('trial-1').error
    return error === undefined || Object.hasOwn(errors, error)
      ? []
      : [`notFound names ${error}, which is no row of errors`]
  })

const tryCreate = (family: AnyTaskFamily, name: string, body: unknown, settings: Settings): string[] => {
  const clock = { mode: 'paused', speed: 1, now: START, wall: START } as const
  const account = openAccount(TRIAL_KEY, settings, clock)
  account.tasks.follow(
    () => {},
    () => FOR_EVER,
  )
  const source = {
    settings,
    secret: 'trial',
    origin: 'http://127.0.0.1',
    requestId: 'request-1',
    media: new Map(),
  }
  const context = decisionContextOf(account, START, source)
  const [create] = operationsOf(family)
  if (create === undefined) return []
  const { path } = create.route
  const call: Call = {
    ...{ method: 'POST', path, params: {}, query: new URLSearchParams() },
    body: { kind: 'json', value: JSON.parse(JSON.stringify(body).replaceAll('{origin}', source.origin)) },
  }
  const decision: Decision = create.prepare(call, settings).decide(context)
  const [refusal] = decision.meta.refusedBy
  if (refusal !== undefined)
    return [`the sample ${name} is refused by ${refusal.rule}: ${refusal.message ?? refusal.error}`]
  apply(account, decision.changes)
  const task = account.tasks.get(decision.meta.task ?? '')
  if (task === undefined) return [`the sample ${name} makes no task`]
  account.requests += 1
  const again = create.prepare(call, settings).decide(decisionContextOf(account, START, source)).meta.task
  return [
    ...taskProblems(task, name),
    ...deadlineProblem(family, task, name),
    ...(again === task.id ? [`newId gives a second task the id of the first, ${JSON.stringify(again)}`] : []),
    ...jsonProblem(`respond.created for the sample ${name}`, decision.reply.body),
    ...task.timeline.flatMap(({ at, value }) => {
      const view = viewAt(task, at)
      const shown = family.respond.read?.(view, decisionContextOf(account, at, source), family.errors)
      const where = `for the sample ${name} that is ${value.state}`
      const { read, list, cancelled } = family.respond
      const until: unknown = family.visibleUntil?.(task, { at, value })
      return [
        ...(read === undefined ? [] : jsonProblem(`respond.read ${where}`, shown)),
        ...(list === undefined ? [] : jsonProblem(`respond.list ${where}`, list([shown], 1))),
        ...(until === undefined || (typeof until === 'number' && !Number.isNaN(until))
          ? []
          : [`visibleUntil ${where} must return an instant, found ${until}`]),
        // Undefined stands for an empty body.
        ...(cancelled === undefined ? [] : jsonProblem(`respond.cancelled ${where}`, cancelled(view) ?? {})),
      ]
    }),
  ]
}

const taskProblems = ({ id, timeline, params, createdAt, price }: Task, name: string): string[] => {
  const where = `of the sample ${name}`
  const unordered = timeline.some(({ at }, index) => at < (timeline[index - 1]?.at ?? createdAt))
  const unknown = timeline.filter(({ value }) => !states.includes(value?.state))
  return [
    ...(/^[\w-]{1,100}$/.test(id)
      ? []
      : [`newId ${where} must be 1 to 100 letters, digits, _ and -, found ${JSON.stringify(id)}`]),
    ...(timeline.length > 0 ? [] : [`timeline ${where} has no moment`]),
    ...(unordered || timeline.some(({ at }) => !Number.isFinite(at))
      ? [`timeline ${where} has moments that do not follow each other`]
      : []),
    ...unknown.map(({ value }) => `timeline ${where} has the state ${JSON.stringify(value?.state)}`),
    ...timeline
      .filter((moment) => !unknown.includes(moment))
      .flatMap(({ value }) => phaseProblems(value, where)),
    ...(Number.isFinite(price) && price >= 0
      ? []
      : [`price ${where} must be a number from 0, found ${price}`]),
    ...jsonProblem(`params ${where}`, params),
  ]
}

/** What is wrong with a moment, and with what its media are to show: a result of it could not be made. */
const phaseProblems = (value: unknown, where: string): string[] => {
  const shape = phaseSchema.safeParse(value)
  if (!shape.success)
    return suggestingRefusals(shape.error.issues, value).map(({ message }) => `timeline ${where}: ${message}`)
  const media = shape.data.state === 'succeeded' ? shape.data.media : []
  const odd = media.find(({ kind, ...spec }) => kind === 'video' && isOdd(spec as Pixels))
  return odd === undefined ? [] : [`timeline ${where} has a video with odd sides, which cannot be encoded`]
}

const isOdd = ({ width, height }: Pixels): boolean => width % 2 !== 0 || height % 2 !== 0

const deadlineProblem = (
  { deadline }: AnyTaskFamily,
  { params, createdAt }: Task,
  name: string,
): string[] => {
  const at: unknown = deadline?.(params, createdAt)
  if (at === undefined || (typeof at === 'number' && at > createdAt)) return []
  return [`deadline of the sample ${name} must be an instant behind the create, found ${at}`]
}

const jsonProblem = (what: string, value: unknown): string[] => {
  if (value === undefined) return [`${what} returns nothing`]
  const wrong = notJson(value)
  return wrong === undefined ? [] : [`${what} is no JSON: ${wrong}`]
}
