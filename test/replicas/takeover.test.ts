import { expect, onTestFinished, test } from 'vitest'
import { logGap } from '../../src/emulator/accounts/persistence/errors.js'
import type { SharedLog } from '../../src/emulator/accounts/persistence/shared-log.js'
import { createTakeover } from '../../src/replicas/takeover.js'

/** Takeover over a list of overdue accounts; `inspect` fails for those that cannot be read. */
const takingOver = (overdue: string[], inspect: (key: string) => Promise<string>) => {
  const taken: string[] = []
  const inspected: string[] = []
  let time = 0
  const log: Partial<SharedLog> = {
    replica: 'own',
    now: () => time,
    isAlive: async (writer) => writer === 'alive',
    overdue: async (_, { skip, max }) => overdue.slice(skip, skip + max),
    watch: async (key) => void overdue.splice(overdue.indexOf(key), 1),
  }
  let onTaken = (_: string) => {}
  const takeover = createTakeover({
    log: log as SharedLog,
    attemptMs: 1_000,
    transact: async <T>(key: string) => {
      taken.push(key)
      onTaken(key)
      return undefined as T
    },
    inspect: async (key) => {
      inspected.push(key)
      const writer = await inspect(key)
      return { writer, inFlight: new Map(), dueAt: taken.includes(key) ? null : Number.NEGATIVE_INFINITY }
    },
  })
  onTestFinished(() => takeover.stop())
  takeover.start()
  /** Resolves when an account is taken over. */
  const isTaken = (key: string) =>
    new Promise<void>((resolve) => {
      onTaken = (other) => (other === key ? resolve() : undefined)
    })
  const pass = (ms: number): void => {
    time += ms
  }
  return { taken, inspected, isTaken, pass }
}

const names = (word: string) => Array.from({ length: 250 }, (_, index) => `${word} ${index}`)

test('accounts that cannot be read do not keep the others from being taken over, and are left alone for a while', async () => {
  const overdue = [...names('broken'), 'good', ...names('also broken'), 'last']
  const { taken, inspected, isTaken, pass } = takingOver(overdue, async (key) => {
    if (key.includes('broken')) throw logGap(key)
    return 'gone'
  })
  await isTaken('last')
  expect(taken).toEqual(['good', 'last'])
  expect(inspected.filter((key) => key === 'broken 0')).toHaveLength(1)
  overdue.push('next')
  await isTaken('next')
  expect(inspected.filter((key) => key === 'broken 0')).toHaveLength(1)
  pass(10_000)
  overdue.push('after that')
  await isTaken('after that')
  expect(inspected.filter((key) => key === 'broken 0')).toHaveLength(2)
})

test('accounts whose replica lives do not keep those of another one from being taken over', async () => {
  const { taken, isTaken } = takingOver([...names('busy'), 'good'], async (key) =>
    key === 'good' ? 'gone' : 'alive',
  )
  await isTaken('good')
  expect(taken).toEqual(['good'])
})
