// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; it is never a function
import { expect, test } from 'vitest'
import type { Catalogue, CatalogueFamily } from '../../../src/core/scenario/selector.js'
import { validateScenario } from '../../../src/core/scenario/validate.js'

const family = (id: string, parts: Partial<CatalogueFamily> = {}): CatalogueFamily => ({
  id,
  models: [`${id}-model`],
  errors: ['busy', 'broken'],
  hasTimelines: true,
  states: ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired'],
  reports: 'never',
  ...parts,
})

const catalogue: Catalogue = {
  operations: [
    'kites.create',
    'kites.read',
    'boats.create',
    'boats.read',
    'd-assets.upload',
    'd-assets.resolve',
    'results.download',
  ],
  methods: {
    ...Object.fromEntries(['kites', 'boats'].map((id) => [`${id}.create`, ['POST']])),
    ...Object.fromEntries(['kites', 'boats'].map((id) => [`${id}.read`, ['GET', 'HEAD']])),
    'd-assets.upload': ['POST'],
    'd-assets.resolve': ['GET', 'HEAD'],
    'results.download': ['GET', 'HEAD'],
  },
  uploads: ['d-assets.upload'],
  families: [
    family('kites', {
      reports: 'handshake',
      states: ['queued', 'running', 'succeeded', 'failed', 'cancelled'],
    }),
    family('boats', { reports: 'plainly', errors: ['busy', 'sunk'] }),
    family('d-assets', { models: [], hasTimelines: false, errors: ['busy'] }),
    family('results', { models: [], hasTimelines: false, errors: [] }),
  ],
}

const complaintsAbout = (when: object, then: object, others: object = {}): string[] => {
  const step = { when, then, ...others }
  const validated = validateScenario({ name: 'trial', says: 'A trial.', steps: [step] }, catalogue)
  return 'scenario' in validated
    ? []
    : validated.diagnostics.map(({ path, message }) => `${path.slice(2).join('.')}: ${message}`)
}

const kite = { operation: 'kites.create' }
const boat = { operation: 'boats.create' }
const delivery = { operation: 'kites.create', callback: 'delivery' }

test.each<[string, object, object]>([
  ['an error of the family', kite, { answer: { error: 'busy' } }],
  [
    'an error that both families have',
    { operation: ['kites.create', 'boats.create'] },
    { answer: { error: 'busy' } },
  ],
  ['a family’s operations at once', { operation: 'kites.*' }, { answer: { status: 502 } }],
  ['every call', {}, { transport: { delay: '1s' } }],
  [
    'an answer beside the work',
    kite,
    { answer: { status: 502, stillHappens: true }, task: { queuedFor: '1s' } },
  ],
  ['an answer that only changes the type', kite, { answer: { contentType: 'text/html' } }],
  ['a failure', kite, { task: { fails: { error: 'broken', after: '5s' } } }],
  ['an expiry where tasks expire', boat, { task: { expires: { after: '5s' } } }],
  ['a download', { operation: 'results.download', model: 'boats-model' }, { result: { cutAt: 100 } }],
  ['an upload', { operation: 'd-assets.upload' }, { asset: { readyAfter: 'never' } }],
  ['a callback', delivery, { callback: { copies: 2 } }],
  [
    'a callback of a status that one of the families has',
    { callback: { status: 'expired' } },
    { callback: { late: '1m' } },
  ],
  ['a callback of every family that has any', { callback: 'delivery' }, { callback: { never: true } }],
  ['a challenge', { callback: 'challenge' }, { callback: { challenge: 'wrong' } }],
  ['a late callback of a deleted task', delivery, { callback: { late: '1m', evenIfDeleted: true } }],
  ['an account and a clock', kite, { account: { balance: 0 }, clock: { jump: '1h' } }],
  ['an every that first reaches', { ...kite, first: 4, every: 4 }, { answer: { status: 500 } }],
  ['no content', kite, { answer: { status: 204, text: '', headers: {} } }],
  [
    'a method of the operation',
    { operation: 'results.download', method: 'HEAD' },
    { result: { missing: true } },
  ],
  [
    'a method of one of the operations',
    { operation: 'kites.*', method: 'POST' },
    { answer: { status: 500 } },
  ],
  ['a step that is switched off', { ...kite, probability: 0 }, { answer: { status: 500 } }],
])('takes %s', (_, when, then) => expect(complaintsAbout(when, then)).toEqual([]))

test.each<[string, object, object, string]>([
  [
    'an unknown operation',
    { operation: 'kite.create' },
    { answer: { status: 500 } },
    'when.operation: there is no operation "kite.create": did you mean kites.create?',
  ],
  [
    'an unknown operation in a list',
    { operation: ['kites.create', 'kites.reed'] },
    { answer: { status: 500 } },
    'when.operation.1: there is no operation "kites.reed": did you mean kites.read?',
  ],
  [
    'an unknown family',
    { family: 'boat' },
    { answer: { status: 500 } },
    'when.family: there is no family "boat": did you mean boats?',
  ],
  [
    'an unknown model',
    { model: 'boats-modle' },
    { answer: { status: 500 } },
    'when.model: there is no model "boats-modle": did you mean boats-model?',
  ],
  [
    'a name that is near none',
    { family: 'aeroplanes' },
    { answer: { status: 500 } },
    'when.family: there is no family "aeroplanes": possible are kites, boats, d-assets, results',
  ],
  [
    'a pattern that is none',
    { prompt: { matches: '(' } },
    { answer: { status: 500 } },
    'when.prompt.matches: "(" is no pattern',
  ],
  [
    'an unknown error',
    kite,
    { answer: { error: 'bussy' } },
    'then.answer.error: there is no error of kites named "bussy": did you mean busy?',
  ],
  [
    'an error of another family',
    kite,
    { task: { fails: { error: 'sunk' } } },
    'then.task.fails.error: there is no error of kites named "sunk": possible are busy, broken',
  ],
  [
    'an error of only one family of two',
    { operation: ['boats.create', 'kites.create'] },
    { answer: { error: 'sunk' } },
    'sunk is an error of boats and not of kites, which this step is about too: name the operation',
  ],
  [
    'an error by name where there are none',
    { operation: 'results.download' },
    { answer: { error: 'busy' } },
    'results has none by name, so write a status',
  ],
  [
    'an operation and a family that never meet',
    { operation: 'kites.create', family: 'boats' },
    { answer: { status: 500 } },
    'when: no call is of this operation, this family and this model at once',
  ],
  [
    'a model of another family',
    { operation: 'kites.create', model: 'boats-model' },
    { answer: { status: 500 } },
    'when: no call is of this',
  ],
  [
    'callbacks of a family that sends none',
    { operation: 'd-assets.upload', callback: 'delivery' },
    { callback: { never: true } },
    'when: callbacks are sent for tasks of kites.create and boats.create alone',
  ],
  [
    'a challenge where there is none',
    { family: 'boats', callback: 'challenge' },
    { callback: { challenge: 'wrong' } },
    'when: challenges are sent for tasks of kites.create alone',
  ],
  [
    'callbacks of a status that tasks of the family never have',
    { operation: 'kites.create', callback: { status: 'expired' } },
    { callback: { late: '1m' } },
    'when: no callback of kites says expired: possible are queued, running, succeeded, failed, cancelled',
  ],
  [
    'one such status in a list',
    { callback: { status: ['expired', 'pending'] } },
    { callback: { late: '1m' } },
    'when: no callback of kites and boats says pending: possible are queued,',
  ],
  [
    'an nth outside of first',
    { ...kite, nth: 5, first: 3 },
    { answer: { status: 500 } },
    'when: nth 5 lies outside',
  ],
  [
    'an nth that comes before',
    { ...kite, nth: 2, after: 2 },
    { answer: { status: 500 } },
    'when: nth 2 lies outside',
  ],
  [
    'an nth that every passes over',
    { ...kite, nth: [3, 5], every: 2 },
    { answer: { status: 500 } },
    'when: nth 3, 5 lies outside',
  ],
  [
    'an every that first does not reach',
    { ...kite, first: 3, every: 4 },
    { answer: { status: 500 } },
    'when: none of the first 3 is an every 4th',
  ],
  [
    'an every that lies outside of after and first',
    { ...kite, after: 4, first: 7, every: 4 },
    { answer: { status: 500 } },
    'when: none of the first 7 is an every 4th',
  ],
  [
    'a second of the first alone',
    { ...kite, first: 1, every: 2 },
    { answer: { status: 500 } },
    'when: none of the first 1 is an every 2nd',
  ],
  [
    'a header that cannot be sent',
    kite,
    { answer: { headers: { trailer: 'x' } } },
    'then.answer: Trailer cannot be sent: no answer has trailers',
  ],
  [
    'the type of a result that no header can have',
    { operation: 'results.download' },
    { result: { contentType: '\u65e5\u672c' } },
    'then.result: the value of contentType has characters that no header can have',
  ],
  [
    'first and after without any between',
    { ...kite, first: 3, after: 3 },
    { answer: { status: 500 } },
    'when: the first 3 are none',
  ],
  [
    'an end before the beginning',
    { ...kite, from: '10s', until: '10s' },
    { answer: { status: 500 } },
    'when: until is not after from',
  ],
  [
    'a task on a query',
    { operation: 'kites.read' },
    { task: { queuedFor: '1s' } },
    'then.task: task is for creates of tasks that can be queried; this step is about kites.read',
  ],
  [
    'a task on every call of a family',
    { operation: 'kites.*' },
    { task: { queuedFor: '1s' } },
    'this step is about kites.read too',
  ],
  [
    'an asset on a create',
    kite,
    { asset: { readyAfter: 'never' } },
    'then.asset: asset is for d-assets.upload',
  ],
  [
    'a result on a create',
    kite,
    { result: { missing: true } },
    'then.result: result is for results.download',
  ],
  [
    'a callback on a call',
    kite,
    { callback: { never: true } },
    'then.callback: callback is for messages to a receiver',
  ],
  ['an answer on a callback', delivery, { answer: { status: 500 } }, 'then.answer: answer is for calls'],
  [
    'two ends of a task',
    boat,
    { task: { fails: { error: 'sunk' }, expires: { after: '1s' } } },
    'then.task: fails and expires cannot be together',
  ],
  [
    'a failure of an asset that is processed for ever',
    { operation: 'd-assets.upload' },
    { asset: { readyAfter: 'never', fails: { code: 'Broken', message: 'It is broken' } } },
    'then.asset: fails is for assets whose processing ends',
  ],
  [
    'a finish after a wait',
    kite,
    { task: { finishes: 'at once', queuedFor: '1s' } },
    'then.task: finishes and queuedFor cannot be together',
  ],
  [
    'a run after a wait for ever',
    kite,
    { task: { queuedFor: 'ever', runningFor: '1s' } },
    'then.task: queuedFor ever and runningFor',
  ],
  [
    'a failure at the end of for ever',
    kite,
    { task: { runningFor: 'ever', fails: { error: 'busy' } } },
    'then.task: fails needs after',
  ],
  [
    'a success without URL that is a failure',
    kite,
    { task: { withoutUrl: true, fails: { error: 'busy' } } },
    'then.task: withoutUrl is for tasks that succeed',
  ],
  [
    'an expiry where tasks never expire',
    kite,
    { task: { expires: { after: '1s' } } },
    'then.task: tasks of kites never expire',
  ],
  [
    'an error with a status',
    kite,
    { answer: { error: 'busy', status: 500 } },
    'then.answer: error and status cannot be together',
  ],
  ['two bodies', kite, { answer: { body: {}, text: '' } }, 'then.answer: body and text cannot be together'],
  [
    'a body of an answer that has none',
    kite,
    { answer: { status: 204, body: {} } },
    'then.answer: an answer with status 204 has no body, so that body is never sent',
  ],
  [
    'a text of an answer that has none',
    kite,
    { answer: { status: 304, text: 'not changed' } },
    'then.answer: an answer with status 304 has no body, so that text is never sent',
  ],
  [
    'a method that the operation never has',
    { operation: ['kites.read', 'results.download'], method: 'POST' },
    { answer: { status: 500 } },
    'when: method POST is of no such call: possible are GET, HEAD',
  ],
  [
    'an answer that says nothing',
    kite,
    { answer: {} },
    'then.answer: answer names at least one of error, status',
  ],
  [
    'Retry-After on the true answer',
    kite,
    { answer: { cutAt: 1, retryAfter: 5 } },
    'then.answer: retryAfter is for an answer',
  ],
  [
    'stillHappens on the true answer',
    kite,
    { answer: { cutAt: 1, stillHappens: true } },
    'then.answer: stillHappens is for an answer',
  ],
  [
    'a task where an answer takes its place',
    kite,
    { answer: { status: 500 }, task: { queuedFor: '1s' } },
    'then.answer: task finds nothing to act on',
  ],
  ['a hang that is late', kite, { transport: { hang: true, delay: '1s' } }, 'then.transport: hang and delay'],
  [
    'a hang that is reset',
    kite,
    { transport: { hang: true, reset: true } },
    'then.transport: hang and reset',
  ],
  [
    'a reset in the middle',
    kite,
    { transport: { reset: true, closeAfterBytes: 5 } },
    'then.transport: reset and closeAfterBytes',
  ],
  [
    'a range that is none',
    kite,
    { transport: { delay: { from: '2s', to: '1s' } } },
    'then.transport: delay.to is less',
  ],
  [
    'no transport at all',
    kite,
    { transport: {} },
    'then.transport: transport names at least one of delay, hang',
  ],
  [
    'an expired result that is missing',
    { operation: 'results.download' },
    { result: { expired: true, missing: true } },
    'then.result: expired and missing',
  ],
  [
    'a cut of another length',
    { operation: 'results.download' },
    { result: { cutAt: 5, lengthOffBy: 1 } },
    'then.result: cutAt and lengthOffBy',
  ],
  [
    'a copy of what is never sent',
    delivery,
    { callback: { never: true, copies: 2 } },
    'then.callback: never and copies',
  ],
  [
    'a challenge in a delivery',
    delivery,
    { callback: { challenge: 'wrong' } },
    'then.callback: challenge is for',
  ],
  [
    'copies of a challenge',
    { callback: 'challenge' },
    { callback: { copies: 2 } },
    'then.callback: copies is for deliveries',
  ],
  [
    'early and late at once',
    delivery,
    { callback: { beforeAnswer: true, late: '1s' } },
    'then.callback: beforeAnswer and late',
  ],
  [
    'a deleted task without time to delete it',
    delivery,
    { callback: { evenIfDeleted: true } },
    'then.callback: evenIfDeleted is for late deliveries',
  ],
  [
    'what comes long after the answer before it',
    { ...kite, callback: { status: 'running' } },
    { callback: { beforeAnswer: true } },
    'then.callback: beforeAnswer is for what is sent when a task is made',
  ],
])('refuses %s', (_, when, then, complaint) =>
  expect(complaintsAbout(when, then)).toEqual(expect.arrayContaining([expect.stringContaining(complaint)])),
)

test('all complaints come at once, those about names beside those about shapes', () => {
  const validated = validateScenario(
    {
      name: 'Not A Name',
      says: 'x',
      steps: [
        { when: { operation: 'kites.make', nth: 1 }, then: { transport: { hang: 'yes' } } },
        { then: { answr: {} } },
        { when: { family: 'boots' }, then: { clock: { jump: '1h' } } },
      ],
    },
    catalogue,
  )
  expect(
    'diagnostics' in validated && validated.diagnostics.map(({ message }) => message.split(':')[0]),
  ).toEqual([
    'name must be words of a-z and 0-9 joined by hyphens, found "Not A Name"',
    'hang must be true, found "yes"',
    'there is no key "answr" here',
    'there is no operation "kites.make"',
    'there is no family "boots"',
  ])
})

test.each<[string, object, object, string[]]>([
  [
    'a number out of range and an operation',
    { operation: 'kites.crate', nth: 0 },
    { answer: { status: 500 } },
    ['when.nth: nth must be', 'when.operation: there is no operation "kites.crate"'],
  ],
  [
    'a misspelt key, a model and an error of the family that was meant',
    { ...kite, model: 'kites-modle', nht: 2 },
    { answer: { error: 'bussy' } },
    [
      'when.nht: there is no key',
      'when.model: there is no model',
      'then.answer.error: there is no error of kites',
    ],
  ],
  [
    'a length and the error beside it',
    kite,
    { task: { fails: { error: 'bussy', after: 5 } } },
    ['then.task.fails.after: after must be', 'then.task.fails.error: there is no error of kites'],
  ],
  [
    'a whole number and an error by a misspelt operation',
    { operation: 'kites.crate' },
    { answer: { error: 'bussy', retryAfter: '2s' } },
    [
      'then.answer.retryAfter: retryAfter must be',
      'when.operation: there is no operation',
      'then.answer.error: there is no error of kites',
    ],
  ],
  [
    'a number out of range and a combination of other parts',
    { ...kite, probability: 2 },
    { answer: { error: 'busy', status: 500 }, asset: { readyAfter: 'never' } },
    [
      'when.probability: probability must be',
      'then.asset: asset is for d-assets.upload',
      'then.answer: error and status',
      'then.answer: asset finds nothing',
    ],
  ],
])('tells at once of %s', (_, when, then, diagnostics) => {
  const found = complaintsAbout(when, then)
  expect(found.map((text, index) => text.slice(0, diagnostics[index]?.length))).toEqual(diagnostics)
})

test.each<[string, unknown, object]>([
  ['an operation of no shape', { operation: 7 }, { answer: { error: 'sunk' } }],
  ['a misspelt operation that is near none', { operation: 'x' }, { task: { fails: { error: 'sunk' } } }],
  ['a misspelt key for the operation', { operatoin: 'boats.create' }, { task: { fails: { error: 'sunk' } } }],
  ['a key that is near none', { of: 'boats.create' }, { answer: { error: 'sunk' } }],
  ['a callback of no shape', { callback: 'deliveries' }, { callback: { late: '1m' } }],
  ['no selector at all', 'boats.create', { task: { fails: { error: 'sunk' } } }],
])('says nothing of what follows from %s', (_, when, then) =>
  expect(complaintsAbout(when as object, then)).toHaveLength(1),
)
