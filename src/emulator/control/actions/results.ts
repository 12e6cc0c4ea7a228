import { z } from 'zod'
import { contentTypeOf, extensionOf, type MediaSpec, videoIn } from '../../core/media/spec.js'
import type { Account } from '../../core/model/account.js'
import { mediaOf, type Task } from '../../core/model/task.js'
import { isoOf, lastOf } from '../../core/schedule/time.js'
import { action, type ControlContext, namedObject, page, pageOf, typedText } from '../action.js'
import { validateFilters } from '../rules.js'

const kinds = ['picture', 'video', 'last-frame'] as const

const resultRecord = namedObject(
  'ResultRecord',
  'A picture or a video of a task that has succeeded.',
  () => ({
    task: z.string(),
    family: z.string(),
    model: z.string(),
    index: z.number().describe('from 0, among the media of the task'),
    prompt: z.string(),
    kind: z.enum(kinds),
    contentType: z.string(),
    codecs: z.string().describe('`h264, aac`; `png` of a picture'),
    width: z.number().describe('pixels'),
    height: z.number().describe('pixels'),
    seconds: z.number().nullable().describe('null: a picture'),
    framesPerSecond: z.number().nullable().describe('null: a picture'),
    url: z.string().describe('path and query, with its signature'),
    since: z.string().describe('when the task succeeded'),
    expiresAt: z.string().describe("when the URL expires, by the account's clock"),
    hasExpired: z.boolean(),
    downloads: z.number().describe('number of calls for it in the journal'),
    bytes: z.number().nullable().describe('of the file; null: it has not been fetched whole'),
  }),
)

export const resultActions = {
  'results.list': action({
    route: { method: 'GET', path: '/results' },
    summary:
      'Pictures and videos of the tasks that have succeeded, those of the task that was created last first, with their facts and how long their URLs last',
    input: z.strictObject({
      ...page,
      task: z.string().optional().describe('the id of a task: its results alone'),
      family: typedText('TaskFamilyName').optional().describe('`b-video-task`, `f-video-v2` and so on'),
      kind: z.enum(kinds).optional().describe('what they are'),
      state: z
        .enum(['lasting', 'ended'])
        .optional()
        .describe('whether their URLs still last, by the clock of the account'),
      search: z.string().optional().describe('a text in the prompt, the model or the id of the task'),
    }),
    output: () => pageOf(resultRecord()),
    run: async (context, key, { limit, offset, ...filters }) => {
      validateFilters(context.registry, filters)
      const results = await context.store.read(key, (account, now) =>
        [...account.tasks.values()]
          .filter(({ id }) => filters.task === undefined || id === filters.task)
          .reverse()
          .flatMap((task) => resultsOf(task, now))
          .filter((result) => matches(context.registry, result, filters)),
      )
      const downloads = downloadsOf(context, key)
      const items = results
        .slice(offset, offset + limit)
        .map((result) => resultRecordOf(context, result, downloads))
      return { items, total: results.length }
    },
  }),
}

const resultsOf = (task: Task, now: number) => {
  const { at: since, value } = lastOf(task.timeline)
  return since > now ? [] : mediaOf(value).map((spec, index) => ({ task, spec, index, since, now }))
}

interface ResultFilters {
  readonly family?: string | undefined
  readonly kind?: (typeof kinds)[number] | undefined
  readonly state?: 'lasting' | 'ended' | undefined
  readonly search?: string | undefined
}

/** Whether a result has what every filter asks for; a text is searched in any case of its letters. */
const matches = (
  registry: ControlContext['registry'],
  { task, spec, since, now }: ReturnType<typeof resultsOf>[number],
  { family, kind, state, search = '' }: ResultFilters,
): boolean => {
  const hasEnded = now >= since + ttlOf(registry, task)
  const texts = [videoIn(spec).card.prompt, task.model, task.id]
  return (
    (family === undefined || task.family === family) &&
    (kind === undefined || spec.kind === kind) &&
    (state === undefined || hasEnded === (state === 'ended')) &&
    (search === '' || texts.join('\n').toLowerCase().includes(search.toLowerCase()))
  )
}

/** How long the URL of a result of a task lasts, in milliseconds. */
const ttlOf = (registry: ControlContext['registry'], { family }: Task): number =>
  registry.taskFamily(family)?.resultTtlMs ?? 0

/**
 * Tasks whose results have URLs that end after one instant and by another one, soonest first. A loop, since an advance over a hundred
 * thousand tasks looks at all of them in one turn, and finds few.
 */
const endingTasks = (
  { registry }: ControlContext,
  account: Account,
  { now, after, by }: Readonly<Record<'now' | 'after' | 'by', number>>,
) => {
  const ending = []
  for (const task of account.tasks.values()) {
    const { at: since, value } = lastOf(task.timeline)
    const at = since + ttlOf(registry, task)
    if (since <= now && at > after && at <= by) ending.push({ task: task.id, at, media: mediaOf(value) })
  }
  return ending.sort((a, b) => a.at - b.at)
}

/** The result URLs of an account that ended after one instant and by another one, soonest first. */
export const expiriesBetween = (context: ControlContext, account: Account, after: number, by: number) =>
  endingTasks(context, account, { now: by, after, by }).flatMap(({ task, at, media }) =>
    media.map((_, index) => ({ task, index, at })),
  )

/** The instant at which the next result URL of an account ends; undefined where none is to end. */
export const nextExpiryOf = (context: ControlContext, account: Account, now: number): number | undefined =>
  endingTasks(context, account, { now, after: now, by: Number.POSITIVE_INFINITY }).find(
    ({ media }) => media.length > 0,
  )?.at

interface Downloads {
  readonly count: number
  readonly bytes: number | null
}

/** Downloads in the journal of an account. A call by the id of a task is one where the file was there. */
export const downloadsIn = ({ journals, registry }: ControlContext, key: string) =>
  registry.fileOperations
    .flatMap((operation) => journals.journalOf(key).list({ operation }))
    .filter(({ operation, status }) => operation === 'results.download' || status < 400)

const NOT_FETCHED: Downloads = { count: 0, bytes: null }

/** Downloads of an account in its journal, by the path of the result, or by the id of the task whose first one was fetched. */
const downloadsOf = (context: ControlContext, key: string): ReadonlyMap<string, Downloads> => {
  const downloads = new Map<string, Downloads>()
  for (const { operation, method, path, task = '', status, answered = {} } of downloadsIn(context, key)) {
    const name = operation === 'results.download' ? path : task
    const { count, bytes } = downloads.get(name) ?? NOT_FETCHED
    const isWhole = method === 'GET' && status === 200 && !answered.broken && !answered.hasLeft
    downloads.set(name, { count: count + 1, bytes: bytes ?? (isWhole ? (answered.bytes ?? null) : null) })
  }
  return downloads
}

const resultRecordOf = (
  context: ControlContext,
  { task, spec, index, since, now }: ReturnType<typeof resultsOf>[number],
  downloads: ReadonlyMap<string, Downloads>,
) => {
  const video = videoIn(spec)
  const expiresAt = since + ttlOf(context.registry, task)
  const url = context.resultPath(task, index, expiresAt)
  const byUrl = downloads.get(url.split('?')[0] ?? '') ?? NOT_FETCHED
  const byTask = (index === 0 && downloads.get(task.id)) || NOT_FETCHED
  return {
    task: task.id,
    family: task.family,
    model: task.model,
    index,
    prompt: video.card.prompt,
    kind: spec.kind,
    contentType: contentTypeOf(spec),
    codecs: codecsOf(spec),
    width: video.width,
    height: video.height,
    seconds: spec.kind === 'video' ? spec.seconds : null,
    framesPerSecond: spec.kind === 'video' ? spec.framesPerSecond : null,
    url,
    since: isoOf(since),
    expiresAt: isoOf(expiresAt),
    hasExpired: now >= expiresAt,
    downloads: byUrl.count + byTask.count,
    bytes: byUrl.bytes ?? byTask.bytes,
  }
}

const codecsOf = (spec: MediaSpec): string => {
  if (spec.kind !== 'video') return extensionOf(spec)
  return spec.hasAudio ? 'h264, aac' : 'h264'
}
