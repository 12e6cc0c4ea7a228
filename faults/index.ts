import { parseArgs } from 'node:util'
import { type Options, type Outcome, type Part, say } from './part.js'

/**
 * Tries to break a running emulator: `npm run test:faults [-- part … --seed N --times N --late MS]`. Not a part of
 * `npm test`, since it takes minutes and wants the machine for itself.
 */

/** Each loads what it needs when its turn comes. */
const parts: Readonly<Record<string, () => Promise<Part>>> = {
  hostile: async () => (await import('./hostile.js')).hostile,
  fuzz: async () => (await import('./fuzz.js')).fuzz,
  'own-faults': async () => (await import('./own-faults.js')).ownFaults,
  damage: async () => (await import('./damage.js')).damage,
  texts: async () => (await import('./texts.js')).hostileTexts,
  kill: async () => (await import('./kill.js')).kill,
  claims: async () => (await import('./claims.js')).claims,
  replicas: async () => (await import('./replicas.js')).replicas,
  'store-away': async () => (await import('./store-away.js')).storeAway,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, times: { type: 'string' }, late: { type: 'string' } },
})

const options: Options = {
  seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
  ...(values.times === undefined ? {} : { times: Number(values.times) }),
  ...(values.late === undefined ? {} : { lateMs: Number(values.late) }),
}

const unknown = positionals.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  say(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

const outcomes: Outcome[] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  say(`\n${name} (seed ${options.seed})`)
  const outcome = await (await parts[name]?.())?.(options)
  if (outcome === undefined) continue
  for (const failure of outcome.failures) say(`  FAILED ${failure}`)
  outcomes.push({ ...outcome, line: `${name}: ${outcome.line}` })
}

say('')
for (const { line, failures } of outcomes)
  say(`${line}${failures.length === 0 ? '' : ` — ${failures.length} FAILED`}`)
process.exit(outcomes.every(({ failures }) => failures.length === 0) ? 0 : 1)
