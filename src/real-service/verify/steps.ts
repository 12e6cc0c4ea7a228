import { isRecord, mapTexts, valueAt } from '../../emulator/surface/journal.js'
import { delay } from '../../emulator/surface/records.js'
import {
  createRoutes,
  isTaskFamily,
  type Operation,
  type Probe,
  type Registry,
} from '../../emulator/surface/registry.js'
import { createFixtures, samplesOf } from '../../emulator/surface/starting.js'
import type { Pair } from './conclude.js'
import { callAbout, endTask, endUncompared } from './endings.js'
import { type AskedCall, type Exchange, idIn, type SeenAnswer, stateIn, statusWordIn } from './exchange.js'
import type { Receiver } from './receiver.js'
import type { Session } from './session.js'

/** Tiers of a verification, from what costs nothing to what only time shows. */
export const tiers = ['free', 'creates', 'callback', 'time'] as const
export type Tier = (typeof tiers)[number]

/** One thing that is asked. */
export interface Step {
  readonly tier: Tier
  readonly says: string
  /** What it costs at most by the price list. Undefined where it makes nothing. */
  readonly price?: number
  /** How many calls it is at least. */
  readonly calls: number
  run(session: Session): Promise<void>
}

/** What steps are made of, beside the families. */
interface StepContext {
  readonly tiers: ReadonlySet<Tier>
  /** The families without a profile, to whose paths the probes are written. */
  readonly base: Registry
  /** Undefined where no callbacks are asked for. */
  readonly callback?: { readonly url: string; readonly receiver: Receiver } | undefined
}

type Family = Registry['families'][number]

/** The steps of some tiers, the cheap ones first. */
export const stepsOf = async (pair: Pair, context: StepContext): Promise<Step[]> => {
  const { families } = pair.registry
  const worst = new Map<string, number>()
  const creates: Step[] = []
  const callbacks: Step[] = []
  for (const family of families) {
    const sample = cheapestOf(await samplesOf(family))
    const operation = pair.registry.operations.find(({ id }) => id === sample?.operation)
    if (sample === undefined || operation === undefined) continue
    if (sample.body === undefined) {
      creates.push(uploadStep(family, operation, sample.form ?? {}))
      continue
    }
    const body = await withFixtures(sample.body)
    const price = await pair.priceOf(operation.id, body)
    worst.set(family.id, Math.max(price, highestPrice(family)))
    creates.push(createStep(family, operation, body, price, context))
    if (isTaskFamily(family) && family.callback !== undefined && context.callback !== undefined)
      callbacks.push(callbackStep(family, operation, body, price, context.callback))
  }
  const free = families.flatMap((family) =>
    (family.probes ?? []).map((probe) =>
      probeStep(
        { ...probe, path: pathInForce(probe, context.base, pair.registry) },
        worst.get(family.id) ?? 0,
      ),
    ),
  )
  const all = [...free, ...creates, ...callbacks]
  return all.filter(({ tier }) => context.tiers.has(tier))
}

const cheapestOf = (samples: Awaited<ReturnType<typeof samplesOf>>) =>
  ['cheapest', 'image'].flatMap((wanted) => samples.find(({ name }) => name === wanted) ?? [])[0]

/** Path of a probe where a profile has other prefixes. */
const pathInForce = ({ method, path }: Probe, base: Registry, inForce: Registry): string => {
  const [bare = ''] = path.split('?')
  const [known] = createRoutes(base.operations)(method, bare)?.operations ?? []
  const now = inForce.operations.find(({ id }) => id === known?.id)
  if (known === undefined || now === undefined) return path
  const [from, to] = [known, now].map(({ route }) => route.path.replace(/[{:].*$/, ''))
  return path.startsWith(from ?? '') ? `${to}${path.slice(from?.length)}` : path
}

/** The price of a second of the dearest model, for its longest video. */
const highestPrice = (family: Family): number => {
  const dearest = Math.max(0, ...Object.values(isTaskFamily(family) ? (family.price?.perSecond ?? {}) : {}))
  const seconds = Object.values(family.facts?.models ?? {}).map((model) => model.seconds?.[1] ?? 0)
  return dearest * Math.max(0, ...seconds)
}

/** A body whose sample media are in it, since the service cannot fetch them from here. */
const withFixtures = async (body: unknown): Promise<unknown> => {
  const fixtures = createFixtures()
  const names = new Set<string>()
  mapTexts(body, (text) => {
    const name = FIXTURE.exec(text)?.[1]
    if (name !== undefined) names.add(name)
    return text
  })
  const media = new Map<string, string>()
  for (const name of names) {
    const bytes = await fixtures.read(name)
    const type = /png$/.test(name) ? 'image/png' : 'image/jpeg'
    media.set(name, `data:${type};base64,${Buffer.from(bytes ?? []).toString('base64')}`)
  }
  return mapTexts(body, (text) => media.get(FIXTURE.exec(text)?.[1] ?? '') ?? text)
}

/** A sample picture as a URL that holds it. */
export const pictureUrl = async (): Promise<string> =>
  String(await withFixtures('{origin}/_backlot/fixtures/portrait.jpeg'))

const FIXTURE = /^\{origin\}\/_backlot\/fixtures\/(.+)$/

const probeStep = ({ says, method, path, json, body, key }: Probe, worst: number): Step => ({
  tier: 'free',
  says,
  calls: 1,
  run: async (session) => {
    const isPost = method === 'POST'
    const content = body === undefined ? { json: isPost ? json : undefined } : { body }
    const call: AskedCall = { method, path, ...content, ...(key === undefined ? {} : { key }) }
    const answer = await session.ask(says, call, { worst })
    const maker = session.makerOf(call)
    // What it took all the same is ended at once. The emulator may have refused it, and does not know the task then.
    if (answer?.create !== undefined && maker !== undefined)
      await endUncompared(session, maker.family, idIn(maker, answer.json), answer.create)
  },
})

const createStep = (
  family: Family,
  operation: Operation,
  body: unknown,
  price: number,
  { tiers: asked }: StepContext,
): Step => ({
  tier: 'creates',
  says: `the cheapest create of ${family.id}`,
  price,
  calls: isTaskFamily(family) && family.routes.read !== undefined ? 4 : 1,
  run: async (session) => {
    const call = { method: 'POST', path: operation.route.path, json: body }
    const made = await session.ask(`the cheapest create of ${family.id}`, call, { price, create: body })
    if (made?.create === undefined) return
    const id = idIn(operation, made.json)
    const last = id === undefined ? undefined : await follow(session, family, id, body)
    if (id !== undefined) await askForList(session, family)
    if (asked.has('time') && last !== undefined) session.keep(made.create, keptOf(session, id ?? ''))
    else await endTask(session, family.id, id, made.create)
  },
})

/** Asks for a task until it has ended, and compares the first answer of each state. */
const follow = async (
  session: Session,
  family: Family,
  id: string,
  create: unknown,
): Promise<SeenAnswer | undefined> => {
  const call = callAbout(session, `${family.id}.read`, id)
  if (call === undefined) return undefined
  const says = `the end of the task of ${family.id}`
  const seen = new Set<string>()
  for (
    let pauseMs = FIRST_PAUSE_MS;
    !session.service.isOver;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  ) {
    const answer = await session.look(says, call)
    if (answer === undefined) return undefined
    const word = statusWordIn(answer.json) ?? `${answer.status}`
    const isEnd =
      answer.status >= 400 ||
      ['succeeded', 'failed', 'cancelled', 'expired'].includes(
        stateIn(answer.json, session.pair.registry, family.id) ?? '',
      )
    if (!seen.has(word)) {
      seen.add(word)
      await session.add({
        says: `a query of the task of ${family.id}: ${word}`,
        ...call,
        answer: await session.withFile(`the task of ${family.id}`, answer),
        at: Date.now(),
        create,
      })
    }
    if (isEnd) return answer
    await delay(pauseMs)
  }
  session.skip(says, 'the time of --time-limit is over')
  return undefined
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5_000

const askForList = async (session: Session, family: Family): Promise<void> => {
  const list = session.pair.registry.operations.find((operation) => operation.id === `${family.id}.list`)
  if (list !== undefined)
    await session.ask(`the list of ${family.id}`, { method: list.route.method, path: list.route.path })
}

/** The exchanges about a task, which a later look needs. */
const keptOf = ({ exchanges }: Session, id: string): Exchange[] =>
  exchanges.filter(
    ({ path, answer, method }) =>
      path.includes(id) || (method === 'POST' && JSON.stringify(answer.json ?? null).includes(id)),
  )

const uploadStep = (family: Family, operation: Operation, form: Readonly<Record<string, string>>): Step => ({
  tier: 'creates',
  says: `an upload to ${family.id}`,
  price: 0,
  calls: 2,
  run: async (session) => {
    const body = await formOf(form, operation.form?.fileField ?? 'file')
    const call = { method: 'POST', path: operation.route.path, body }
    const made = await session.ask(`an upload to ${family.id}`, call, { price: 0 })
    if (made?.create === undefined) return
    // The specification has no call that removes an asset.
    session.ended(made.create, 'an asset stays')
    const job = idIn(operation, made.json)
    const resolve = session.pair.registry.operations.find(({ id }) => id === `${family.id}.resolve`)
    if (job === undefined || resolve === undefined) return
    const query: AskedCall = { method: 'GET', path: `${resolve.route.path}?task_id=${job}`, key: 'none' }
    await followJob(session, query)
  },
})

const followJob = async (session: Session, query: AskedCall): Promise<void> => {
  const seen = new Set<string>()
  for (
    let pauseMs = FIRST_PAUSE_MS;
    !session.service.isOver;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  ) {
    const answer = await session.look('the asset of the upload', query)
    if (answer === undefined) return
    const word = statusWordIn(answer.json) ?? `${valueAt(answer.json, ['code']) ?? answer.status}`
    if (!seen.has(word)) {
      seen.add(word)
      await session.add({ says: `the asset of the upload: ${word}`, ...query, answer, at: Date.now() })
    }
    const state = stateIn(answer.json)
    if (answer.status >= 400 || state === 'succeeded' || state === 'failed') return
    await delay(pauseMs)
  }
  session.skip('the asset of the upload', 'the time of --time-limit is over')
}

/** A multipart form: its content type and its bytes. A file is a sample medium, by its name. */
export const formOf = async (
  fields: Readonly<Record<string, string>>,
  fileField: string,
): Promise<[string, Uint8Array]> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (name !== fileField) form.set(name, value)
    else
      form.set(
        name,
        new Blob([new Uint8Array((await createFixtures().read(value)) ?? [])], { type: 'image/png' }),
        value,
      )
  }
  const encoded = new Response(form)
  return [encoded.headers.get('content-type') ?? '', new Uint8Array(await encoded.arrayBuffer())]
}

/** How long messages are awaited once their task has ended, in real time. */
const MESSAGES_MS = 10_000

const callbackStep = (
  family: Family,
  operation: Operation,
  body: unknown,
  price: number,
  { url, receiver }: NonNullable<StepContext['callback']>,
): Step => ({
  tier: 'callback',
  says: `a create of ${family.id} with a callback`,
  price,
  calls: 2,
  run: async (session) => {
    const says = `a create of ${family.id} with a callback`
    const json = { ...(isRecord(body) ? body : {}), callback_url: url }
    const from = receiver.messages.length
    const call = { method: 'POST', path: operation.route.path, json }
    const made = await session.ask(says, call, { price, create: body })
    if (made?.create === undefined) return
    const id = idIn(operation, made.json)
    const last = id === undefined ? undefined : await follow(session, family, id, body)
    const end = last === undefined ? undefined : statusWordIn(last.json)
    await receiver.waitFor(
      (messages) => messages.slice(from).some(({ json: sent }) => statusWordIn(sent) === end),
      MESSAGES_MS,
    )
    const messages = receiver.messages.slice(from)
    if (messages.length === 0)
      session.skip(
        `the callbacks of ${family.id}`,
        `no message came to ${url} within ${MESSAGES_MS / 1_000} s`,
      )
    for (const { kind, headers, json: sent, at } of messages)
      await session.add({
        says:
          kind === 'challenge'
            ? `the challenge of ${family.id}`
            : `a message of ${family.id}: ${statusWordIn(sent)}`,
        method: 'POST',
        path: new URL(url).pathname,
        json: sent,
        answer: { status: 200, headers, json: sent },
        at,
        message: { family: family.id, kind },
      })
    await session.addMissingChallenge(family.id)
    await endTask(session, family.id, id, made.create)
  },
})
