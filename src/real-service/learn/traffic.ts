import { isRecord, mapTexts, parseJson } from '../../emulator/surface/journal.js'
import { createRoutes, type Operation, type Registry } from '../../emulator/surface/registry.js'
import type { Recording } from '../../traffic/format.js'
import type { HarEntry } from '../../traffic/har.js'
import { type AskedCall, type Exchange, idIn, type KeyOfCall } from '../verify/exchange.js'
import { formOf, pictureUrl } from '../verify/steps.js'

/** A call of the service that no operation answers. */
export interface ForeignCall {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly json: unknown
}

/** Traffic of a service: the calls of its operations, and others of the same origin. */
export interface Traffic {
  readonly exchanges: readonly Exchange[]
  readonly foreign: readonly ForeignCall[]
}

/** A call as a file has it, before it is known what it is. */
interface RawCall extends Pick<AskedCall, 'method' | 'json' | 'key'> {
  /** Path and query, with whatever a gateway has before the path of the service. */
  readonly path: string
  readonly origin: string
  readonly isForm: boolean
  readonly hasSomeHeaders?: true
  readonly answer: Exchange['answer']
  readonly at: number
}

/** Traffic in the entries of a HAR file. */
export const trafficInHar = (entries: readonly HarEntry[], registry: Registry): Promise<Traffic> =>
  trafficOf(
    entries.flatMap((entry) => rawCall(entry) ?? []).sort((a, b) => a.at - b.at),
    registry,
  )

const rawCall = ({ request, response, startedDateTime, _fromCache }: HarEntry): RawCall | undefined => {
  // Answers of caches, and answers without a server, say nothing of the service.
  if (!URL.canParse(request.url) || _fromCache || response.status <= 0) return undefined
  const { origin, pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(response.headers.map(({ name, value }) => [name.toLowerCase(), value]))
  const hasKey = request.headers.some(({ name }) => /^(authorization|x-api-key)$/i.test(name))
  const { text, encoding } = response.content
  const body = encoding === 'base64' && text !== undefined ? Buffer.from(text, 'base64').toString() : text
  return {
    method: request.method,
    path: pathname + search,
    origin,
    json: parseJson(request.postData?.text ?? ''),
    isForm: /^multipart\//i.test(request.postData?.mimeType ?? ''),
    key: keyOf(hasKey, response.status),
    answer: { status: response.status, headers, json: parseJson(body ?? '') },
    at: Date.parse(startedDateTime) || 0,
  }
}

// Some programs leave the key out of what they write.
const keyOf = (hasKey: boolean, status: number): KeyOfCall =>
  status !== 401 ? 'own' : hasKey ? 'unknown' : 'none'

/** Traffic in a recording. */
export const trafficInRecording = async ({ lines }: Recording, registry: Registry): Promise<Traffic> => {
  const calls = lines.flatMap(({ line }): RawCall[] => {
    if (line.kind !== 'call' || line.answer.status === undefined) return []
    const { request, answer, at } = line
    const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    return [
      {
        method: request.method,
        path: request.query === undefined ? request.path : `${request.path}?${request.query}`,
        origin: '',
        json: request.json,
        isForm: request.form !== undefined,
        hasSomeHeaders: true,
        key: request.withoutKey === true ? 'none' : keyOf(true, line.answer.status),
        answer: { status: line.answer.status, headers: Object.fromEntries(headers), json: answer.json },
        at: Date.parse(at),
      },
    ]
  })
  return trafficOf(calls, registry)
}

const trafficOf = async (calls: readonly RawCall[], registry: Registry): Promise<Traffic> => {
  const origins = new Set<string>()
  /** Families of the tasks and assets that were made, by their ids. */
  const known = new Map<string, string>()
  const identify = identifierOf(registry, known)
  const exchanges: Exchange[] = []
  const others: RawCall[] = []
  const media = { picture: await pictureUrl(), form: await formOf({ file: PICTURE }, 'file') }
  for (const call of calls) {
    const found = identify(call)
    if (found === undefined) {
      others.push(call)
      continue
    }
    origins.add(call.origin)
    const { operation, path } = found
    const id = found.id
    // Of a task that was made before, an emulator cannot know.
    if (id !== undefined && call.answer.status < 400 && !known.has(id)) continue
    const made = operation.makes === undefined ? undefined : idIn(operation, call.answer.json)
    if (made !== undefined) known.set(made, operation.family)
    const json = withoutPlaceholders(call.json, media.picture)
    exchanges.push({
      // Without its path, which has ids.
      says: `call ${exchanges.length + 1}, ${operation.id}`,
      method: call.method,
      path,
      ...(call.isForm ? { body: media.form } : { json }),
      ...(operation.needsKey ? { key: call.key ?? 'own' } : { key: 'none' }),
      answer: call.answer,
      at: call.at,
      ...(call.hasSomeHeaders && { hasSomeHeaders: true }),
    })
  }
  const foreign = others
    .filter(({ origin, method }) => origins.has(origin) && method !== 'OPTIONS')
    .map(({ method, path, answer }) => ({
      method,
      path: path.replace(/\?.*$/, ''),
      status: answer.status,
      json: answer.json,
    }))
  return { exchanges, foreign }
}

const PICTURE = 'first-frame.png'

/** Media whose bytes a file does not have, by a picture of the emulator's own. */
const withoutPlaceholders = (json: unknown, picture: string): unknown =>
  mapTexts(json, (text) => (/^data:[^,]*;base64,.*(\{medium|\(left out\))/.test(text) ? picture : text))

interface Identified {
  readonly operation: Operation
  /** Path below the prefix of a gateway, with the query. */
  readonly path: string
  /** Id in the path, or undefined where it has none. */
  readonly id: string | undefined
}

/** @param known families of ids: several families can have one path for queries */
const identifierOf = (registry: Registry, known: ReadonlyMap<string, string>) => {
  const findRoute = createRoutes(registry.operations)
  return ({ method, path, json }: RawCall): Identified | undefined => {
    const [bare = '', query] = path.split('?')
    const steps = bare.split('/').slice(1)
    for (const index of steps.keys()) {
      const suffix = `/${steps.slice(index).join('/')}`
      const matched = findRoute(method, suffix)
      if (matched === undefined) continue
      const model = isRecord(json) ? String(json.model) : ''
      const id = Object.values(matched.params)[0]
      const operation =
        matched.operations.find(({ family }) => registry.taskFamily(family)?.models.includes(model)) ??
        matched.operations.find(({ family }) => family === known.get(id ?? '')) ??
        matched.operations[0]
      if (operation === undefined) continue
      return { operation, path: query === undefined ? suffix : `${suffix}?${query}`, id }
    }
    return undefined
  }
}
