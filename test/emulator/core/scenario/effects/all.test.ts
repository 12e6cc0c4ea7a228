import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SeededRandom } from '../../../../../src/emulator/core/account/random.js'
import { assetTimeline } from '../../../../../src/emulator/core/asset.js'
import { plainTimeline } from '../../../../../src/emulator/core/model/task.js'
import { outgoingOf } from '../../../../../src/emulator/core/scenario/effects/answer.js'
import { breaks, effects, thenSchema } from '../../../../../src/emulator/core/scenario/effects/index.js'
import { completeDelivery } from '../../../../../src/emulator/core/scenario/effects/transport.js'
import { taskWith } from '../../task/literals.js'

/** A value of every effect that changes something, as scenario files write it. */
const samples: Readonly<Record<string, unknown>> = {
  'account.agreementAccepted': false,
  'account.balance': 3,
  'account.limits': { requestsPerMinute: 1 },
  'clock.jump': '1m',
  'answer.error': 'ServerOverloaded',
  'answer.status': 503,
  'answer.body': { a: 1 },
  'answer.text': 'busy',
  'answer.retryAfter': 7,
  'answer.contentType': 'text/html',
  'answer.headers': { 'X-Extra': '1' },
  'answer.cutAt': 3,
  'answer.without': ['code'],
  'answer.move': { code: 'state' },
  'answer.wrap': 'data',
  'answer.set': { code: 0 },
  'answer.retype': { code: 'list' },
  'asset.readyAfter': '1m',
  'asset.fails': { code: 'TooSmall', message: 'The image is too small' },
  'callback.challenge': 'wrong',
  'callback.late': '1m',
  'callback.copies': 3,
  'callback.brokenBody': true,
  'callback.atOnce': true,
  'callback.status': 'failed',
  'callback.inBatches': '1m',
  'callback.move': { status: 'state' },
  'callback.wrap': 'data',
  'callback.set': { code: 0 },
  'callback.retype': { status: 'list' },
  'result.contentType': 'text/html',
  'result.cutAt': 3,
  'result.corrupt': true,
  'result.lengthOffBy': 3,
  'result.bytesOf': 'html',
  'result.rotation': 90,
  'result.format': 'jpeg',
  'task.queuedFor': '1m',
  'task.runningFor': '1m',
  'task.fails': { error: 'ServerOverloaded' },
  'task.expires': { after: '1m' },
  'task.finishes': 'at once',
  'task.withoutUrl': true,
  'task.statusWord': 'processing',
  'task.progressJumpsBack': true,
  'task.progressAsFraction': true,
  'task.statusGoesBack': true,
  'task.statusWords': { running: 'processing' },
  'task.vanishes': true,
  'transport.delay': '1s',
  'transport.hang': true,
  'transport.reset': true,
  'transport.closeAfterBytes': 3,
  'transport.bytesPerSecond': 100,
}

const decided = { status: 200, headers: {}, body: { code: 'accepted and more' } }
const reply = () => outgoingOf(decided, 'request-1')
const file = { ...reply(), bytes: readFileSync('fixtures/media/clip-1s.mp4') }
const asset = {
  id: 'asset-1',
  jobId: 'task_1',
  account: 'test-key',
  requestId: 'request-1',
  name: 'a.png',
  bytes: 1,
  facts: { kind: 'image', format: 'png', bytes: 1, width: 1, height: 1 },
  blob: 'b',
  createdAt: 100,
  timeline: assetTimeline(100, 10, undefined),
}

/** What effects of each part change. */
const subjects = {
  account: () => ({}),
  clock: () => 0,
  answer: reply,
  asset: () => asset,
  callback: () => ({ notBefore: 5_000, copiesLeft: 1 }),
  result: () => file,
  task: () => taskWith({ timeline: plainTimeline(0, { queuedMs: 10, runningMs: 10 }, []) }),
  transport: () => completeDelivery,
}

const contextOf = (part: string, values: object) =>
  ({
    answer: { requestId: 'request-2', raise: () => ({ ...decided, status: 429 }), values },
    transport: new SeededRandom(1, 'test-key', 1),
    callback: 1_000,
  })[part]

const acting = effects.filter(({ apply, onBody }) => apply !== undefined || onBody !== undefined)

test.each(acting.map((effect) => [`${effect.part}.${effect.key}`, effect] as const))(
  '%s changes its subject',
  (name, { part, key, apply, onBody }) => {
    expect(Object.keys(samples), `a sample of ${name} is missing`).toContain(name)
    const { [part]: values = {} } = thenSchema.parse({ [part]: { [key]: samples[name] } })
    const value = (values as Record<string, unknown>)[key]
    if (apply !== undefined) {
      const subject = subjects[part]()
      expect(apply(subject, value, contextOf(part, values))).not.toEqual(subject)
    } else {
      const body = { challenge: 'c', status: 'succeeded' }
      expect(onBody?.(body, value)).not.toEqual(body)
    }
  },
)

test('an effect breaks what it says, and nothing else', () => {
  expect(breaks(['answer.headers', 'result.cutAt'], 'file')).toBe(true)
  expect(breaks(['answer.headers', 'result.cutAt'], 'answer')).toBe(false)
  expect(breaks(['callback.brokenBody'], 'message')).toBe(true)
  expect(breaks(['callback.late', 'result.contentType', 'answer.without'], 'message')).toBe(false)
})

test('what can be broken is an answer, a file or a message, by effects of their parts', () => {
  const partOf = { answer: 'answer', file: 'result', order: 'result', message: 'callback' } as const
  const broken = effects.flatMap(({ part, breaks }) =>
    breaks === undefined ? [] : [[part, breaks] as const],
  )
  expect(broken.length).toBeGreaterThan(0)
  for (const [part, what] of broken) expect(part).toBe(partOf[what])
})
