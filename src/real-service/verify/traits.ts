import { valueAt } from '../../emulator/surface/journal.js'
import type { Registry } from '../../emulator/surface/registry.js'
import type { Change } from './changes.js'
import { type Compared, type Delta, RATE_LIMIT } from './compare.js'
import { grouped } from './refusals.js'

type HeaderDelta = Delta & { readonly kind: 'header' }

/** Changes for what is no matter of one answer: limits that headers announce, files of models, callbacks. */
export const traitChanges = (all: readonly Compared[], registry: Registry): Change[] => [
  ...rateLimitChanges(all),
  ...all.flatMap((compared) => fileChanges(compared, registry)),
  ...callbackChanges(all),
]

const headersOf = (one: Compared): HeaderDelta[] =>
  one.deltas.filter((delta): delta is HeaderDelta => delta.kind === 'header' && delta.ours === undefined)

const rateLimitChanges = (all: readonly Compared[]): Change[] => {
  const found = all.flatMap((one) =>
    headersOf(one)
      .filter(({ name }) => RATE_LIMIT.test(name))
      .map((delta) => ({ one, delta })),
  )
  return [...grouped(found, ({ delta }) => delta.name).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { name, theirs = '' } = first.delta
    const fact = factIn(name, Number(theirs))
    const proof = { seenIn: group.map(({ one }) => one), settles: group.map(({ delta }) => delta) }
    const header = { at: ['rateLimits', 'headers', name], value: fact, ...proof }
    const isLimit = fact === 'limit' && Number.isInteger(Number(theirs))
    return isLimit
      ? [header, { at: ['rateLimits', 'requestsPerMinute'], value: Number(theirs), ...proof }]
      : [header]
  })
}

const factIn = (name: string, value: number): string => {
  if (/remain/i.test(name)) return 'remaining'
  if (/reset/i.test(name)) return value > 1_000_000_000 ? 'reset' : 'resetSeconds'
  return 'limit'
}

/** Changes of the model of a result: its pixels, its frames in a second, its sound. */
const fileChanges = (compared: Compared, registry: Registry): Change[] => {
  const { exchange, ours, deltas } = compared
  const files = deltas.filter((delta) => delta.kind === 'file')
  const model = String(valueAt(exchange.create ?? exchange.json, ['model']))
  const family = registry.family(ours.operation?.split('.')[0] ?? '')
  const facts = family?.facts?.models[model]
  if (files.length === 0 || facts === undefined) return []
  const proof = { seenIn: [compared], settles: files }
  const at = (key: string) => ['models', model, key]
  const changes: Change[] = []
  const isOf = (fact: string) => files.some((delta) => delta.fact === fact)
  const theirs = exchange.answer.file ?? {}
  if (facts.framesPerSecond !== undefined && isOf('framesPerSecond'))
    changes.push({
      at: at('framesPerSecond'),
      value: Math.round(Number(theirs.framesPerSecond) * 1_000) / 1_000,
      ...proof,
    })
  if (facts.sound !== undefined && isOf('audioCodec'))
    changes.push({ at: at('sound'), value: theirs.audioCodec !== undefined, ...proof })
  const place = isOf('width') || isOf('height') ? placeOf(facts.sizes ?? {}, ours.file ?? {}) : undefined
  if (place !== undefined)
    changes.push({
      at: at('sizes'),
      value: withPixels(facts.sizes ?? {}, place, {
        width: Number(theirs.width),
        height: Number(theirs.height),
      }),
      ...proof,
    })
  return changes
}

type Sizes = Readonly<
  Record<string, Readonly<Record<string, { readonly width: number; readonly height: number }>>>
>

/** Size and ratio of a model whose pixels a file has. */
const placeOf = (sizes: Sizes, { width, height }: Readonly<Record<string, unknown>>) => {
  for (const [size, ratios] of Object.entries(sizes))
    for (const [ratio, pixels] of Object.entries(ratios))
      if (pixels.width === width && pixels.height === height) return { size, ratio }
  return undefined
}

const withPixels = (
  sizes: Sizes,
  { size, ratio }: { readonly size: string; readonly ratio: string },
  pixels: { readonly width: number; readonly height: number },
): Sizes => ({ ...sizes, [size]: { ...sizes[size], [ratio]: pixels } })

const callbackChanges = (all: readonly Compared[]): Change[] =>
  all.flatMap((one): Change[] => {
    const [family = ''] = one.ours.operation?.split('.') ?? []
    const message = one.deltas.find((delta) => delta.kind === 'message')
    const handshake: Change[] =
      message === undefined
        ? []
        : [
            {
              at: ['callbacks', family, 'handshake'],
              value: message.theirs ? 'on' : 'off',
              seenIn: [one],
              settles: [message],
            },
          ]
    return one.ours.operation?.endsWith('.callback') ? [...handshake, ...signatureOf(one, family)] : handshake
  })

const SIGNATURE = /^([a-z0-9]+=)?([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)$/i

/** Signature in the headers of a message. Its secret is nothing that a message shows. */
const signatureOf = (one: Compared, family: string): Change[] => {
  const headers = headersOf(one)
  const signed = headers.find(({ theirs = '' }) => SIGNATURE.test(theirs))
  if (signed === undefined) return []
  const [, prefix, text = ''] = SIGNATURE.exec(signed.theirs ?? '') ?? []
  const stamped = headers.find(({ theirs = '' }) => /^1\d{9}$/.test(theirs))
  const value = {
    header: signed.name,
    secret: SECRET_TO_SET,
    ...(prefix === undefined ? {} : { prefix }),
    ...(/^[0-9a-f]{64}$/i.test(text) ? {} : { encoding: 'base64' }),
    ...(stamped === undefined ? {} : { timestamp: stamped.name }),
  }
  const settles = stamped === undefined ? [signed] : [signed, stamped]
  return [{ at: ['callbacks', family, 'signature'], value, seenIn: [one], settles }]
}

/** Stands for the secret of a signature in a profile that was written. */
const SECRET_TO_SET = 'set-the-secret-of-your-service'
