import { expect, test } from 'vitest'
import type { Profile } from '../../../src/emulator/profile/schema.js'
import { readSettings, type SettingsInput } from '../../../src/emulator/settings.js'
import { answerName, mergedFacts, profileHash, VerifiedFacts } from '../../../src/emulator/verified/facts.js'
import type { VerifiedFact } from '../../../src/emulator/verified/file.js'

const MODEL = 'b-video-task.schema.model'
const REFUSED = 'b-video-task.create@MissingParameter'

const fact = (change: Partial<VerifiedFact> = {}): VerifiedFact => ({
  answer: REFUSED,
  rule: MODEL,
  asked: 'a task without a model',
  gaps: ['B8'],
  verdict: 'same',
  at: '2026-11-28T10:00:00.000Z',
  host: 'first',
  profile: null,
  ...change,
})

const factsOf = (facts: readonly VerifiedFact[], profile?: Profile, settings: SettingsInput = {}) =>
  new VerifiedFacts(facts, readSettings(settings), () => profile)

const B8 = { id: 'B8' }

test('an answer is seen by its name and the rule that refused, and by no other', () => {
  const facts = factsOf([fact()])
  expect(facts.ofAnswer(REFUSED, MODEL)).toEqual({
    verdict: 'same',
    on: '2026-11-28',
    asked: ['a task without a model'],
  })
  expect(facts.ofAnswer(REFUSED, 'b-video-task.schema.content')).toBeUndefined()
  expect(facts.ofAnswer('b-video-task.create', undefined)).toBeUndefined()
})

test('names have the error of a refusal, and the state of what was queried', () => {
  expect(answerName('b-video-task.create', { state: 'queued' })).toBe('b-video-task.create')
  expect(answerName('b-video-task.read', { state: 'running' })).toBe('b-video-task.read@running')
  expect(answerName('b-video-task.read', { error: 'ResourceNotFound', state: 'running' })).toBe(
    'b-video-task.read@ResourceNotFound',
  )
})

test('a gap is seen where all answers that rely on it are the same, and differs by a single one', () => {
  const later = { asked: 'a task of a model that there is not', at: '2026-11-29T10:00:00.000Z' }
  const other = fact({ answer: 'b-video-task.create@InvalidParameter', ...later })
  expect(factsOf([fact(), other]).ofGap(B8)).toEqual({
    verdict: 'same',
    on: '2026-11-29',
    asked: ['a task without a model', 'a task of a model that there is not'],
  })
  expect(factsOf([fact(), { ...other, verdict: 'differs' }]).ofGap(B8)).toEqual({
    verdict: 'differs',
    on: '2026-11-29',
    asked: ['a task of a model that there is not'],
  })
  expect(factsOf([fact()]).ofGap({ id: 'B7' })).toBeUndefined()
})

test('what was compared with a profile counts for this profile alone', () => {
  const profile: Profile = { errors: { 'b-video-task': { MissingParameter: { code: 'Missing' } } } }
  const seen = fact({ profile: profileHash(profile) })
  expect(factsOf([seen], profile).ofGap(B8)).toBeDefined()
  expect(factsOf([seen]).ofGap(B8)).toBeUndefined()
  expect(factsOf([fact()], profile).ofGap(B8)).toBeUndefined()
})

test('what is not compared of a profile, its secrets and the order of its keys do not matter', () => {
  const signature = { header: 'X-Signature', secret: 'one' }
  const profile: Profile = {
    rules: { 'c-video.text-is-there': 'off' },
    callbacks: { 'f-video-v2': { signature } },
  }
  const same: Profile = {
    callbacks: { 'f-video-v2': { signature: { ...signature, secret: 'two' } } },
    rules: { 'c-video.text-is-there': 'off' },
    description: 'ours',
    timing: { 'c-video': { queued: 2_000 } },
  }
  expect(profileHash(same)).toBe(profileHash(profile))
  expect(profileHash({ ...profile, rules: {} })).not.toBe(profileHash(profile))
  expect(profileHash(undefined)).toBeNull()
})

test('a gap whose settings are changed is not seen, since the usual ones were compared', () => {
  const x11 = { id: 'X11', settings: ['strict'] }
  const seen = fact({ gaps: ['X11'] })
  expect(factsOf([seen]).ofGap(x11)).toBeDefined()
  expect(factsOf([seen], undefined, { strict: true }).ofGap(x11)).toBeUndefined()
})

test('of an answer that two hosts were asked for, the one that was asked last counts', () => {
  const second = fact({ host: 'second', verdict: 'differs', at: '2026-11-29T10:00:00.000Z' })
  expect(factsOf([fact(), second]).ofGap(B8)).toMatchObject({ verdict: 'differs', on: '2026-11-29' })
  const third = fact({ at: '2026-11-30T10:00:00.000Z' })
  expect(factsOf([second, third]).ofGap(B8)).toMatchObject({ verdict: 'same', on: '2026-11-30' })
})

test('a later run replaces what it has asked again, of its host', () => {
  const before = [
    fact(),
    fact({ asked: 'the same in other words' }),
    fact({ answer: 'b-video-task.list' }),
    fact({ host: 'second' }),
  ]
  const now = fact({ verdict: 'differs' })
  expect(mergedFacts(before, [now])).toEqual([before[3], now, before[2]])
})
