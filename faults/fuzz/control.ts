import fc from 'fast-check'
import { z } from 'zod'
import { actions } from '../../src/emulator/control/actions/index.js'
import { encoded, oddText, oddValue } from './odd.js'
import type { FuzzRequest } from './request.js'

/** Fields of an action, with what would be right for some of them: what is never right finds little. */
const right: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  by: fc.constantFrom<unknown>('1s', '10m', '30d', 1_000, '1e9d', '999999999d'),
  to: fc.constantFrom(
    'next',
    'idle',
    '2026-02-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '+200000-01-01T00:00:00Z',
  ),
  mode: fc.constantFrom('live', 'paused', 'on-poll'),
  speed: fc.constantFrom(1, 1e-9, 60, 1e6, 1e300),
  now: fc.constantFrom('2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
  status: fc.constantFrom<unknown>('succeeded', 'failed', 'cancelled', 'expired', 'running', 200),
  error: fc.constantFrom('InternalServiceError', 'nothing'),
  for: fc.constantFrom('task', 'request', 'callback', 'inbox', 'idle'),
  timeout: fc.constantFrom('0ms', '1ms', '5ms', 'soon', '-1s'),
  id: fc.constantFrom('{0}', '{1}'),
  limit: fc.constantFrom<unknown>(1, 0, 1e9, '2'),
  name: fc.constantFrom('upstream-flapping', 'x', '../../package.json', '/etc/passwd'),
  balance: fc.constantFrom<unknown>(0, -1, 1e308, 10),
  limits: fc.constantFrom<unknown>({ tasksInFlight: 1 }, { requestsPerMinute: 0 }, { imageQuota: null }, 5),
  format: fc.constant('replay'),
}

const namesIn = (schema: z.ZodType): string[] => {
  const {
    properties = {},
    oneOf = [],
    anyOf = [],
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Shape
  return [
    ...new Set([properties, ...[...oneOf, ...anyOf].map((one) => one.properties ?? {})].flatMap(Object.keys)),
  ]
}

interface Shape {
  readonly properties?: object
  readonly oneOf?: readonly Shape[]
  readonly anyOf?: readonly Shape[]
}

/** Mostly what could be right, since what is never right is refused at the door. */
const valueFor = (name: string): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: right[name] ?? oddValue }, { weight: 1, arbitrary: oddValue })

const inputOf = (names: readonly string[]): fc.Arbitrary<Record<string, unknown>> => {
  const values = Object.fromEntries([...names, 'surplus'].map((name) => [name, valueFor(name)]))
  const alone = names.map((name) => fc.record({ [name]: valueFor(name) }))
  return (
    fc
      .oneof(fc.record(values, { requiredKeys: [] }), ...alone)
      // A wait of hours is not a hang.
      .map((input) => (names.includes('timeout') ? { timeout: '1ms', ...input } : input))
  )
}

// An object may have a toString that is no function.
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const inPath = (path: string, input: Readonly<Record<string, unknown>>, other: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encoded(textOf(input[name] ?? other)) || 'x')

const inQuery = (input: Readonly<Record<string, unknown>>): string =>
  Object.entries(input)
    .map(([name, value]) => `${name}=${encoded(textOf(value))}`)
    .join('&')

/** Every action of the control API, with input that may be right. */
export const controlRequest: fc.Arbitrary<Pick<FuzzRequest, 'method' | 'path' | 'body'>> = fc.oneof(
  ...Object.values(actions).map(({ route: { method, path }, input }) =>
    fc
      .tuple(inputOf(namesIn(input)), oddText, fc.string({ maxLength: 30 }), fc.nat(19))
      .map(([given, other, text, dice]) => {
        const place = `/_backlot${inPath(path, given, other)}`
        if (method === 'GET') return { method, path: `${place}?${inQuery(given)}` }
        return { method, path: place, body: dice === 0 ? text : JSON.stringify(given) }
      }),
  ),
)
