// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; it is never a function
import { expect, test } from 'vitest'
import type { Catalogue, CatalogueFamily } from '../../../../src/emulator/core/scenario/selector.js'
import { validateScenario } from '../../../../src/emulator/core/scenario/validate.js'

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
      models: ['kites-model', 'kite-2.0'],
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
  ['models of two families', { model: ['kites-model', 'boats-model'] }, { answer: { status: 500 } }],
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
  [
    'an every between after and first',
    { ...kite, after: 1, first: 4, every: 4 },
    { answer: { status: 500 } },
  ],
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
  ['an nth that is the last of the first', { ...kite, nth: 3, first: 3 }, { answer: { status: 500 } }],
  ['two nths, one of which every reaches', { ...kite, nth: [5, 8], every: 2 }, { answer: { status: 500 } }],
  ['a value that is undefined', kite, { answer: { error: 'busy', status: undefined } }],
  ['an account without a change', kite, { account: {} }],
  ['a task without a change', kite, { task: {} }],
  ['an asset without a change', { operation: 'd-assets.upload' }, { asset: {} }],
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
    'a family that is written as its operations, in a list',
    { family: ['boats', 'kites.*'] },
    { answer: { status: 500 } },
    'when.family.1: there is no family "kites.*": did you mean kites?',
  ],
  [
    'models by their beginning, in a list',
    { model: ['boats-model', 'kite-2.*'] },
    { answer: { status: 500 } },
    'when.model.1: there is no model "kite-2.*"',
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
  ...[
    [3, '3rd'],
    [11, '11th'],
    [13, '13th'],
    [21, '21st'],
    [112, '112th'],
  ].map(([every, ordinal]): [string, object, object, string] => [
    `an every ${ordinal} of the first 2`,
    { ...kite, first: 2, every },
    { answer: { status: 500 } },
    `when: none of the first 2 is an every ${ordinal}`,
  ]),
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
    'an end at the beginning of the scenario',
    { ...kite, until: '0s' },
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
  [
    'no operation',
    { operation: [] },
    { answer: { status: 500 } },
    'when.operation: operation must be a list',
  ],
  ['no nth', { ...kite, nth: [] }, { answer: { status: 500 } }, 'when.nth: nth must be a list of at least 1'],
  [
    'a part of the prompt that every prompt has',
    { ...kite, prompt: { contains: '' } },
    { answer: { status: 500 } },
    'when.prompt.contains: contains must be at least 1 character long',
  ],
  [
    'a pattern that every prompt matches',
    { ...kite, prompt: { matches: '' } },
    { answer: { status: 500 } },
    'when.prompt.matches: matches must be at least 1 character long',
  ],
  [
    'an escape that patterns with Unicode do not have',
    { ...kite, prompt: { matches: '\\-' } },
    { answer: { status: 500 } },
    'when.prompt.matches: "\\\\-" is no pattern',
  ],
  [
    'a header that no call can have',
    { ...kite, header: 'content type' },
    { answer: { status: 500 } },
    'when.header: header must be the name of a header, such as range',
  ],
  [
    'a probability below 0',
    { ...kite, probability: -0.1 },
    { answer: { status: 500 } },
    'when.probability: probability must be at least 0',
  ],
  [
    'the method of a message',
    { ...delivery, method: 'POST' },
    { callback: { late: '1m' } },
    'when: method, header and beforeRetryAfter are of calls',
  ],
  [
    'the header of a message',
    { ...delivery, header: 'range' },
    { callback: { late: '1m' } },
    'when: method, header and beforeRetryAfter are of calls',
  ],
  [
    'a message that comes before a Retry-After has passed',
    { ...delivery, beforeRetryAfter: true },
    { callback: { late: '1m' } },
    'when: method, header and beforeRetryAfter are of calls',
  ],
  [
    'calls before a Retry-After that no step answers with',
    { ...kite, beforeRetryAfter: true },
    { answer: { status: 429, retryAfter: 2 } },
    'when.beforeRetryAfter: beforeRetryAfter wants another step that answers such calls with retryAfter',
  ],
  [
    'callbacks of queries',
    { operation: 'kites.read', callback: 'delivery' },
    { callback: { late: '1m' } },
    'when: callbacks are sent for tasks of kites.create and boats.create alone',
  ],
  [
    'a callback without a change',
    delivery,
    { callback: {} },
    'then.callback: callback names at least one of challenge',
  ],
  [
    'a result without a change',
    { operation: 'results.download' },
    { result: {} },
    'then.result: result names at least one of expired',
  ],
  [
    'a result where an answer takes its place',
    { operation: 'results.download' },
    { answer: { status: 500 }, result: { missing: true } },
    'then.answer: result finds nothing to act on',
  ],
  ['a clock that stands', kite, { clock: {} }, 'then.clock: clock names at least one of jump'],
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
  [
    'a key inside of an effect and the error beside it',
    kite,
    { task: { fails: { error: 'bussy', aftr: '5s' } } },
    ['then.task.fails.aftr: there is no key', 'then.task.fails.error: there is no error of kites'],
  ],
  [
    'a family that never has the operation and counts that never come',
    { ...kite, family: 'boats', first: 3, after: 3 },
    { answer: { status: 500 } },
    ['when: no call is of this operation', 'when: the first 3 are none of those after'],
  ],
  [
    'a method that messages do not have and counts that never come',
    { ...delivery, method: 'POST', first: 3, after: 3 },
    { callback: { late: '1m' } },
    ['when: method, header and beforeRetryAfter are of calls', 'when: the first 3 are none of those after'],
  ],
  [
    'a challenge that is not sent and counts that never come',
    { ...boat, callback: 'challenge', first: 3, after: 3 },
    { callback: { challenge: 'wrong' } },
    ['when: challenges are sent for tasks of kites.create', 'when: the first 3 are none of those after'],
  ],
  [
    'a method that the operation never has and counts that never come',
    { ...kite, method: 'DELETE', first: 3, after: 3 },
    { answer: { status: 500 } },
    ['when: method DELETE is of no such call', 'when: the first 3 are none of those after'],
  ],
])('tells at once of %s', (_, when, then, diagnostics) => {
  const found = complaintsAbout(when, then)
  expect(found.map((text, index) => text.slice(0, diagnostics[index]?.length))).toEqual(diagnostics)
})

test.each<[string, unknown, object]>([
  ['an operation of no shape', { operation: 7 }, { answer: { error: 'sunk' } }],
  ['a misspelt operation that is near none', { operation: 'x' }, { task: { fails: { error: 'sunk' } } }],
  ['a misspelt key for the operation', { operatoin: 'boats.create' }, { task: { fails: { error: 'sunk' } } }],
  ['a misspelt key for the family', { famly: 'boats' }, { task: { fails: { error: 'sunk' } } }],
  ['a misspelt key for the model', { modl: 'boats-model' }, { task: { fails: { error: 'sunk' } } }],
  ['a key that is near none', { of: 'boats.create' }, { answer: { error: 'sunk' } }],
  ['a model that is near none', { model: 'aeroplanes' }, { answer: { error: 'busy' } }],
  ['an error without a name', kite, { answer: { error: '' } }],
  ['a callback that is no message', kite, { callback: { challenge: 'wrong' } }],
  ['first and after without any between', { ...kite, first: 3, after: 3 }, { answer: { status: 500 } }],
  ['a callback of no shape', { callback: 'deliveries' }, { callback: { late: '1m' } }],
  ['no selector at all', 'boats.create', { task: { fails: { error: 'sunk' } } }],
])('says nothing of what follows from %s', (_, when, then) =>
  expect(complaintsAbout(when as object, then)).toHaveLength(1),
)

/** Calls or messages for which a part of `then` is. */
const selectorFor: Record<string, object> = {
  answer: kite,
  transport: kite,
  task: boat,
  asset: { operation: 'd-assets.upload' },
  result: { operation: 'results.download' },
  callback: { operation: 'boats.create', callback: 'delivery' },
  account: kite,
}

test.each<[string, object]>([
  ['answer', { status: 200 }],
  ['answer', { status: 599 }],
  ['answer', { error: 'busy', retryAfter: 0 }],
  ['answer', { text: 'One moment', stillHappens: true }],
  ['answer', { body: {}, stillHappens: true }],
  ['answer', { headers: { 'x-note': 'with\ta tab, and \u00ff' } }],
  ['answer', { cutAt: 0 }],
  ['transport', { delay: { from: '1s', to: '1s' } }],
  ['transport', { closeAfterBytes: 0 }],
  ['transport', { bytesPerSecond: 1 }],
  ['task', { queuedFor: '10m', runningFor: '1h' }],
  ['asset', { readyAfter: '5m', fails: { code: 'Broken', message: 'It is broken' } }],
  ['result', { cutAt: 0 }],
  ['callback', { copies: 10 }],
])('takes the %s %j', (part, values) =>
  expect(complaintsAbout(selectorFor[part] as object, { [part]: values })).toEqual([]),
)

test.each([['queued'], [['queued', 'running']]])(
  'takes a callback before the answer of status %j',
  (status) =>
    expect(complaintsAbout({ ...boat, callback: { status } }, { callback: { beforeAnswer: true } })).toEqual(
      [],
    ),
)

const failure = { code: 'Broken', message: 'It is broken' }

test.each<[string, object, string]>([
  ['answer', { status: 199 }, 'status must be at least 200'],
  ['answer', { status: 600 }, 'status must be at most 599'],
  ['answer', { error: 'busy', body: {} }, 'error and body cannot be together'],
  ['answer', { error: 'busy', text: '' }, 'error and text cannot be together'],
  ['answer', { contentType: 'text/html\n' }, 'the value of contentType has characters that no header'],
  ['answer', { headers: { 'x-note': '\u007f' } }, 'the value of x-note has characters that no header'],
  ['answer', { headers: { 'x note': 'a' } }, '"x note" cannot be the name of a header'],
  ['answer', { headers: { Trailer: 'a' } }, 'Trailer cannot be sent'],
  ['answer', { without: ['usage'], cutAt: 5 }, 'without and cutAt cannot be together'],
  ['answer', { without: ['usage'], status: 500 }, 'without is for the true answer'],
  ['answer', { without: [] }, 'without must be a list of at least 1 item'],
  ['answer', { without: ['data..url'] }, 'must be a path such as usage, data[1].url or items[].url'],
  ['transport', { delay: { median: '1s', spread: 0 } }, 'spread must be '],
  ['transport', { hang: true, closeAfterBytes: 5 }, 'hang and closeAfterBytes cannot be together'],
  ['transport', { hang: true, bytesPerSecond: 5 }, 'hang and bytesPerSecond cannot be together'],
  ['transport', { reset: true, bytesPerSecond: 5 }, 'reset and bytesPerSecond cannot be together'],
  ['transport', { bytesPerSecond: 0 }, 'bytesPerSecond must be at least 1'],
  ['task', { queuedFor: 'ever', fails: { error: 'busy' } }, 'fails needs after where a task would last'],
  ['task', { fails: { error: 'busy' }, finishes: 'at once' }, 'fails and finishes cannot be together'],
  ['task', { expires: { after: '1s' }, finishes: 'at once' }, 'expires and finishes cannot be together'],
  ['task', { finishes: 'at once', runningFor: '1s' }, 'finishes and runningFor cannot be together'],
  ['task', { withoutUrl: true, expires: { after: '1s' } }, 'withoutUrl is for tasks that succeed'],
  ['task', { withoutUrl: true, queuedFor: 'ever' }, 'withoutUrl is for tasks that succeed'],
  ['task', { withoutUrl: true, vanishes: true }, 'withoutUrl changes queries after the end'],
  ['task', { progressAsFraction: true, progressJumpsBack: true }, 'progressAsFraction and progressJumpsBack'],
  ['task', { statusGoesBack: true, finishes: 'at once' }, 'statusGoesBack and finishes cannot be together'],
  ['task', { statusGoesBack: true, runningFor: 'ever' }, 'statusGoesBack is for tasks that end'],
  ['task', { statusWords: { running: 'BUSY' }, statusWord: 'busy' }, 'statusWords and statusWord cannot be'],
  ['task', { statusWords: {} }, 'statusWords must be at least one of pending, queued'],
  ['task', { statusWords: { running: '' } }, 'running must be at least 1 character long'],
  ['asset', { fails: { ...failure, code: '' } }, 'code must be at least 1 character long'],
  ['asset', { fails: { ...failure, message: '' } }, 'message must be at least 1 character long'],
  ['result', { expired: true, cutAt: 5 }, 'expired and cutAt cannot be together'],
  ['result', { expired: true, contentType: 'text/html' }, 'expired and contentType cannot be together'],
  ['result', { expired: true, lengthOffBy: 5 }, 'expired and lengthOffBy cannot be together'],
  ['result', { expired: true, corrupt: true }, 'expired and corrupt cannot be together'],
  ['result', { missing: true, corrupt: true }, 'missing and corrupt cannot be together'],
  ['result', { lengthOffBy: 0 }, 'lengthOffBy must be not 0'],
  ['result', { bytesOf: 'gif', expired: true }, 'bytesOf and expired cannot be together'],
  ['result', { bytesOf: 'gif', missing: true }, 'bytesOf and missing cannot be together'],
  ['result', { bytesOf: 'gif', cutAt: 5 }, 'bytesOf and cutAt cannot be together'],
  ['result', { bytesOf: 'gif', corrupt: true }, 'bytesOf and corrupt cannot be together'],
  ['result', { bytesOf: 'gif', lengthOffBy: 5 }, 'bytesOf and lengthOffBy cannot be together'],
  ['result', { whole: true, expired: true }, 'whole and expired cannot be together'],
  ['result', { whole: true, missing: true }, 'whole and missing cannot be together'],
  ['callback', { copies: 1 }, 'copies must be at least 2'],
  ['callback', { copies: 11 }, 'copies must be at most 10'],
  ['callback', { atOnce: true }, 'atOnce is for copies'],
  ['callback', { status: 'done', brokenBody: true }, 'status and brokenBody cannot be together'],
  ['callback', { beforeAnswer: true, afterNext: true }, 'beforeAnswer and afterNext cannot be together'],
  ['callback', { inBatches: '10m', late: '1m' }, 'inBatches and late cannot be together'],
  ['callback', { inBatches: '10m', beforeAnswer: true }, 'inBatches and beforeAnswer cannot be together'],
  ['callback', { inBatches: '0s' }, 'inBatches must be longer than 0s'],
  ['account', { limits: { tasks: 1 } }, 'there is no key "tasks" here'],
])('refuses the %s %j', (part, values, complaint) =>
  expect(complaintsAbout(selectorFor[part] as object, { [part]: values })).toEqual([
    expect.stringContaining(complaint),
  ]),
)

test.each([{ afterNext: true }, { brokenBody: true }, { status: 'succeeded' }])(
  'refuses %j for a challenge',
  (callback) =>
    expect(complaintsAbout({ callback: 'challenge' }, { callback })).toEqual([
      `then.callback: ${Object.keys(callback)} is for deliveries`,
    ]),
)

test('refuses an expiry of one of two families whose tasks never expire', () =>
  expect(
    complaintsAbout({ operation: ['boats.create', 'kites.create'] }, { task: { expires: { after: '1s' } } }),
  ).toEqual(['then.task: tasks of kites never expire']))

test('refuses a step that does nothing', () =>
  expect(complaintsAbout(kite, {})).toEqual([
    'then: then must be an object with at least one thing to do, found {}',
  ]))

test('an unknown error is not turned into a status where the family has errors', () =>
  expect(complaintsAbout(kite, { answer: { error: 'sunk' } })).toEqual([
    'then.answer.error: there is no error of kites named "sunk": possible are busy, broken',
  ]))

test.each<[string, object, string]>([
  ['that never acts', { times: 0 }, 'times: times must be at least 1'],
  ['with an empty description', { description: '' }, 'description: description must be at least 1 character'],
  [
    'with a description in both spellings',
    { description: 'New', says: 'Old' },
    'says: says is the old word for description: give one of them',
  ],
])('refuses a step %s', (_, others, complaint) =>
  expect(complaintsAbout(kite, { answer: { status: 500 } }, others)).toEqual([
    expect.stringContaining(complaint),
  ]),
)

const validated = (change: object) => {
  const step = { when: kite, then: { answer: { status: 500 } } }
  const found = validateScenario(
    { name: 'trial', description: 'A trial.', steps: [step], ...change },
    catalogue,
  )
  return 'scenario' in found
    ? []
    : found.diagnostics.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each(['-trial', 'trial-', 'tri--al', 'Trial', ''])('refuses the name %j', (name) =>
  expect(validated({ name })).toEqual([expect.stringMatching(/^name: name must be words of a-z and 0-9/)]),
)

test('refuses a step that is nothing', () =>
  expect(validated({ steps: [null] })).toEqual([
    expect.stringMatching(/^steps\.0: \w+ must be an object, found null$/),
  ]))

test('a misspelt key takes the place of the key that it means, of no other one and of none in another step', () => {
  const then = { answer: { status: 500 } }
  const steps = [{ thn: then }, { when: kite }, { wen: kite }, { thn: then, then: 5 }]
  expect(validated({ steps }).map((text) => text.split(' ').slice(0, 3).join(' '))).toEqual([
    'steps.0.thn: there is',
    'steps.1.then: then is',
    'steps.2.then: then is',
    'steps.2.wen: there is',
    'steps.3.then: then must',
    'steps.3.thn: there is',
  ])
})

test('refuses a scenario without steps', () =>
  expect(validated({ steps: [] })).toEqual(['steps: steps must be a list of at least 1 item, found []']))

test.each([
  ['the name of an operation', { when: { operation: 'kites.crate' }, then: { answer: { status: 500 } } }],
  ['a shape', { when: { nth: 0 }, then: { answer: { status: 500 } } }],
])('the first twenty places come, and that there are more only where there are: %s', (_, step) => {
  const wrongIn = (count: number) => validated({ steps: Array.from({ length: count }, () => step) })
  expect(wrongIn(20)).toHaveLength(20)
  expect(wrongIn(20).at(-1)).not.toContain('there is more wrong')
  expect(wrongIn(21)).toHaveLength(21)
  expect(wrongIn(21).slice(0, 20)).toEqual(wrongIn(20))
  expect(wrongIn(21).at(-1)).toBe(': there is more wrong than these 20 places')
})

test('the first twenty names of a list come, and that there are more', () => {
  const operation = Array.from({ length: 30 }, (_, index) => `kites.crate${index}`)
  const found = complaintsAbout({ operation }, { answer: { status: 500 } })
  expect(found).toHaveLength(21)
  expect(found.at(-1)).toContain('there is more wrong than these 20 places')
})
