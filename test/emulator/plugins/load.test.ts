import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import sketch from '../../../examples/family/sketch.family.js'
import type { AnyTaskFamily } from '../../../src/emulator/core/contract.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { openRegistry } from '../../../src/emulator/plugins/load.js'
import { readSettings } from '../../../src/emulator/settings.js'
import type { ErrorNameOf, ModelName, OperationName } from '../../../src/index.js'

const FILE = 'examples/family/sketch.family.ts'

const opened = (families: readonly (string | object)[], others: object = {}) =>
  openRegistry(readSettings({ families, ...others }), builtIn)

mkdirSync('.backlot', { recursive: true })
const folder = mkdtempSync(resolve('.backlot', 'families-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('a family of a file stands behind the built-in ones, with everything that follows from it', async () => {
  const { registry } = await opened([FILE])
  expect(registry.families.map(({ id }) => id)).toEqual([
    ...builtIn.families.map(({ id }) => id),
    'acme-sketch',
  ])
  expect(registry.operations.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['acme-sketch.create', 'acme-sketch.read']),
  )
  expect(registry.catalogue.families.find(({ id }) => id === 'acme-sketch')).toMatchObject({
    models: ['delta-sketch-1', 'delta-sketch-2'],
    errors: expect.arrayContaining(['too_many']),
  })
  expect(registry.gaps.map(({ id }) => id)).toContain('ACME1')
  expect(builtIn.operations.map(({ id }) => id)).not.toContain('acme-sketch.create')
})

test('the types know its names, and none that is misspelt', () => {
  const known: [OperationName, ModelName, ErrorNameOf<'acme-sketch.create'>] = [
    'acme-sketch.create',
    'delta-sketch-1',
    'too_many',
  ]
  // @ts-expect-error no operation
  const operation: OperationName = 'acme-sketch.creat'
  // @ts-expect-error no model
  const model: ModelName = 'delta-sketch-3'
  // @ts-expect-error no error
  const error: ErrorNameOf<'acme-sketch.create'> = 'too_few'
  expect(known).not.toContain([operation, model, error])
})

test('a package, a list and a value are taken as a file is', async () => {
  mkdirSync(join(folder, 'node_modules', 'backlot-family-acme'), { recursive: true })
  fileOf(
    'list.mjs',
    `export default [{ ...(await import(${JSON.stringify(resolve(folder, 'one.mjs'))})).default }]`,
  )
  fileOf('one.mjs', moduleOf({}))
  expect((await opened([join(folder, 'list.mjs')])).registry.family('outside')).toBeDefined()
  expect((await opened([sketch])).registry.family('acme-sketch')).toMatchObject({ title: 'Sketches' })
  await expect(opened(['backlot-family-nowhere'])).rejects.toMatchObject({
    code: 'bad-family',
    message: expect.stringContaining('there is no package of that name'),
  })
})

test('its settings are read by its own schema, with their defaults', async () => {
  expect((await opened([FILE])).settings.familySettings).toEqual({ 'acme-sketch': { secondsToDraw: 5 } })
  const given = { familySettings: { 'acme-sketch': { secondsToDraw: 60 } } }
  expect((await opened([FILE], given)).settings.familySettings).toEqual(given.familySettings)
})

test.each([
  [{ 'acme-sketch': { secondsToDraw: -1 } }, /familySettings\.acme-sketch\.secondsToDraw must be/],
  [{ 'acme-sketch': { secondToDraw: 1 } }, /familySettings\.acme-sketch\./],
  [
    { 'acme-sketches': {} },
    /familySettings\.acme-sketches: no family of that id has settings: did you mean acme-sketch\?/,
  ],
])('settings %j are refused', async (familySettings, message) => {
  await expect(opened([FILE], { familySettings })).rejects.toMatchObject({
    code: 'bad-setting',
    message: expect.stringMatching(message),
  })
})

/** A module whose family is that of the example with another id and route, and with changes. */
const moduleOf = (changes: Readonly<Record<string, string>>): string => `
import { z } from 'zod'
const errors = { wrong: { status: 400, message: 'Wrong' } }
const names = ['unauthenticated', 'unreadable', 'unsupported', 'too-large', 'rate-limited', 'internal', 'missing', 'invalid', 'unknown-model']
const family = {
  id: 'outside', section: 'Out', title: 'Outside', errors,
  wellKnownErrors: Object.fromEntries(names.map((name) => [name, 'wrong'])),
  api: {
    requests: { OutRequest: z.object({}) },
    responses: { OutAnswer: z.object({}), OutProblem: z.object({}) },
    error: 'OutProblem',
    operations: { create: { summary: 'Make it', body: 'OutRequest', response: 'OutAnswer' } },
  },
  models: ['out-1'],
  samples: [{ name: 'cheapest', operation: 'outside.create', says: 'One', body: { model: 'out-1' } }],
  routes: { create: { method: 'POST', path: '/out' } },
  maxBodyBytes: () => 1000,
  schema: z.object({ model: z.literal('out-1') }),
  rules: [],
  params: (input) => input,
  newId: ({ sequence }) => 'out-' + sequence,
  timeline: (params, context) => [{ at: context.now, value: { state: 'succeeded', media: [] } }],
  resultTtlMs: 1000,
  respond: { created: ({ task }) => ({ id: task.id }), error: () => ({ wrong: true }) },
}
export default { ...family, ${Object.entries(changes)
  .map(([key, value]) => `${key}: ${value}`)
  .join(', ')} }
`

test('the module of these tests is a family', async () => {
  await expect(opened([fileOf('fine.mjs', moduleOf({}))])).resolves.toBeDefined()
})

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['an id that is taken', { id: "'c-video'" }, /the id c-video is taken/],
  ['a reserved id', { id: "'results'" }, /the id results is taken/],
  ['an id that is no name', { id: "'Out Side'" }, /id must be a name in small letters/],
  ['a section that is taken', { section: "'B'" }, /the section B is taken/],
  [
    'a route that is taken',
    { routes: "{ create: { method: 'POST', path: '/v1/asset/upload' } }" },
    /the route POST \/v1\/asset\/upload is taken by d-assets.upload/,
  ],
  [
    'a model that is taken on a shared route',
    { routes: "{ create: { method: 'POST', path: '/v1/videos' } }", models: "['beta2.7-r2v']" },
    /the model beta2.7-r2v is taken on \/v1\/videos by e-video-reference/,
  ],
  [
    'a path of the emulator',
    { routes: "{ create: { method: 'POST', path: '/_backlot/mine' } }" },
    /the path \/_backlot\/mine belongs to the emulator/,
  ],
  [
    'a gap that is taken',
    { gaps: "[{ id: 'B1', grade: 'seen', place: 'x', answer: 'y' }]" },
    /the gap B1 is taken/,
  ],
  ['a part that is missing', { timeline: 'undefined' }, /timeline is required: a function/],
  [
    'a well-known error that is no row',
    { wellKnownErrors: "{ ...family.wellKnownErrors, internal: 'broken' }" },
    /wellKnownErrors.internal names broken, which is no row/,
  ],
  [
    'an id of tasks that no URL can hold',
    { newId: "() => 'a/b'" },
    /newId of the sample cheapest must be 1 to 100 letters/,
  ],
  [
    'a timeline that goes back',
    {
      timeline:
        "(p, { now }) => [{ at: now, value: { state: 'queued' } }, { at: now - 1, value: { state: 'succeeded', media: [] } }]",
    },
    /moments that do not follow each other/,
  ],
  [
    'a result of which no file could be made',
    {
      timeline:
        "(p, { now }) => [{ at: now, value: { state: 'succeeded', media: [{ kind: 'video', width: 64, height: 64 }] } }]",
    },
    /timeline of the sample cheapest: media\[0\]\.hasAudio is required/,
  ],
  [
    'a state that there is not',
    { timeline: "(p, { now }) => [{ at: now, value: { state: 'done' } }]" },
    /has the state "done"/,
  ],
  [
    'a body that is none',
    { respond: '{ ...family.respond, created: () => undefined }' },
    /respond.created for the sample cheapest returns nothing/,
  ],
  [
    'a body that throws',
    { respond: "{ ...family.respond, error: () => { throw new TypeError('no row') } }" },
    /respond.error of wrong ends with TypeError: no row/,
  ],
  ['an id of routes', { id: "'routes'" }, /the id routes is taken/],
  [
    'two operations on one route',
    {
      routes:
        "{ create: { method: 'POST', path: '/out' }, read: { method: 'GET', path: '/out/{id}' }, list: { method: 'GET', path: '/out/{task_id}' } }",
      respond: '{ ...family.respond, read: () => ({}), list: () => ({}) }',
      notFound: "() => ({ error: 'wrong' })",
      api: "{ ...family.api, operations: { ...family.api.operations, read: { summary: 'x' }, list: { summary: 'x' } } }",
    },
    /two of its operations have the route GET \/out\/\{\}/,
  ],
  [
    'operations that throw',
    { operations: "() => { throw new Error('no table') }" },
    /ends with Error: no table/,
  ],
  [
    'operations that are none',
    { operations: '() => [{ id: 1 }]' },
    /operations\(\)\[0\]\.id must be a string/,
  ],
  ['operations in no list', { operations: '() => 7' }, /operations must return a list/],
  [
    'one id for all tasks',
    { newId: "() => 'same'" },
    /newId gives a second task the id of the first, "same"/,
  ],
  [
    'no limit of bodies',
    { maxBodyBytes: '() => Number.NaN' },
    /maxBodyBytes must return a number above 0, found NaN/,
  ],
  [
    'a deadline before the create',
    { deadline: '(params, createdAt) => createdAt - 1' },
    /deadline of the sample cheapest must be an instant behind the create/,
  ],
  [
    'a missing task that is no row',
    { notFound: "() => ({ error: 'gone' })" },
    /notFound names gone, which is no row of errors/,
  ],
  [
    'a sample that it refuses',
    { samples: "[{ name: 'cheapest', operation: 'outside.create', says: 'x', body: {} }]" },
    /the sample cheapest is refused by outside.schema.model/,
  ],
])('a family with %s is refused with its file', async (name, changes, message) => {
  const file = fileOf(`${name.replace(/\W/g, '-')}.mjs`, moduleOf(changes))
  await expect(opened([FILE, file])).rejects.toMatchObject({
    code: 'bad-family',
    message: expect.stringMatching(message),
  })
  await expect(opened([file])).rejects.toThrow(file)
})

test('a family whose fields throw is named', async () => {
  const text = moduleOf({}).replace(
    'export default {',
    "export default { get section() { throw new Error('no file') }, ",
  )
  const file = fileOf('getter.mjs', text.replace("id: 'outside', section: 'Out',", "id: 'outside',"))
  await expect(opened([file])).rejects.toThrow(/getter\.mjs cannot be added: .*no file/)
})

test.each([
  ['throws', "throw new Error('no disk')", /throws while it loads: Error: no disk/],
  ['is-no-javascript', 'export default {{', /throws while it loads/],
  ['exports-nothing', 'export const x = 1', /its default export must be a family, or a list of them/],
])('a module that %s is named', async (name, text, message) => {
  const file = fileOf(`${name}.mjs`, text)
  await expect(opened([file])).rejects.toMatchObject({
    code: 'bad-family',
    message: expect.stringMatching(message),
  })
})

test('a family twice is refused', async () => {
  await expect(opened([FILE, FILE])).rejects.toThrow('the id acme-sketch is taken')
})

test('a shared route lists the models of all families in its error', async () => {
  const family = {
    ...sketch,
    id: 'acme-video',
    section: 'Acme2',
    models: ['acme-1'],
    gaps: [],
    reliesOn: {},
    samples: [],
    routes: { create: { method: 'POST', path: '/v1/videos' } },
    api: { ...sketch.api, requests: {}, responses: {}, operations: { create: { summary: 'x' } } },
  }
  const { registry } = await opened([family])
  const first = registry.families.find(({ id }) => id === 'c-video') as AnyTaskFamily
  expect(first.modelsBeside).toEqual(['beta2.7-r2v', 'acme-1'])
})
