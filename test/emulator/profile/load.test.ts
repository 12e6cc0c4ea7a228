import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtIn } from '../../../src/emulator/families/index.js'
import { checkProfileFile, isProfile, loadProfiles } from '../../../src/emulator/profile/load.js'
import { startOnPort } from '../../emulator.js'
import { newFolder } from '../../folder.js'

const fileOf = async (text: string, name = 'profile.yaml', folder = newFolder()): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** The mistakes of a file, each with its place. */
const flawsIn = async (text: string, name?: string): Promise<string[]> => {
  const checked = await checkProfileFile(await fileOf(text, name))
  if (!('diagnostics' in checked)) return []
  return checked.diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

test('rows that say nothing are refused, with what they can hold', async () => {
  const row = 'an object with at least one of'
  expect(
    await flawsIn(
      [
        'errors: { b-video-task: { NotFound: {} }, c-video: {} }',
        'rules: { b-video-task.text-unless-media: {} }',
        'answers: { c-video.read: {}, c-video.list: { set: {}, rename: {}, move: {}, headers: {} } }',
        'timing: { b-video-task: {}, c-video: { sizes: { 720p: {} }, instant: {} } }',
        'rateLimits: {}',
        'callbacks: { b-video-task: {} }',
      ].join('\n'),
    ),
  ).toEqual([
    `1:37 NotFound must be ${row} status, code, type, number, message, found {}`,
    '1:52 c-video must be an object with at least one row, found {}',
    '2:42 b-video-task.text-unless-media must be off, or an object of the bounds of the rule and of `error`, the error that it answers with, found {}',
    `3:26 c-video.read must be ${row} status, remove, rename, move, wrap, set, headers, found {}`,
    '3:51 set must be an object with at least one field, found {}',
    '3:63 rename must be an object with at least one field, found {}',
    '3:73 move must be an object with at least one field, found {}',
    '3:86 headers must be an object with at least one header, found {}',
    `4:25 b-video-task must be ${row} queued, running, models, sizes, realistic, fast, instant, found {}`,
    `4:55 720p must be ${row} queued, running, found {}`,
    `4:70 instant must be ${row} queued, running, models, sizes, found {}`,
    `5:13 rateLimits must be ${row} requestsPerMinute, tasksInFlight, headers, found {}`,
    `6:28 b-video-task must be ${row} handshake, retries, timeout, challengeTimeout, signature, found {}`,
  ])
  expect(await flawsIn('models: { videoa-3: { like: videoa-2-0-260128 } }')).toEqual([])
})

test('fields within one that is set before them, and beside a wrapper, contradict nothing', async () => {
  const row = '{ rename: { seed: draw }, wrap: data, set: { draw: 1, data.by: x, a: {}, a.b: 1, ab: 2 } }'
  expect(await flawsIn(`answers: { c-video.read: ${row} }`)).toEqual([])
})

describe('what is wrong is named with its line, its column and the nearest name', () => {
  test.each([
    ['an unknown key', 'modells: {}', '1:1 there is no key "modells" here: did you mean models?'],
    [
      'an unknown model',
      'models:\n  x: { like: videoa-2-0-260129 }',
      '2:14 there is no model "videoa-2-0-260129": did you mean videoa-2-0-260128?',
    ],
    [
      'a family',
      'errors: { c-vidio: { X: { status: 400, message: No } } }',
      '1:11 there is no family "c-vidio" here: did you mean c-video?',
    ],
    [
      'a new row without a message',
      'errors: { c-video: { quota_gone: { status: 402 } } }',
      /^1:22 c-video: errors\.quota_gone is no row/,
    ],
    [
      'a status that is no refusal',
      'errors: { c-video: { quota_gone: { status: 200 } } }',
      '1:44 status must be at least 400, found 200',
    ],
    ['a rule', 'rules: { b-video-task.text-unles-media: off }', /^1:10 .*did you mean text-unless-media\?/],
    [
      'a rule of no family',
      'rules: { b-video.role-counts: off }',
      /^1:10 there is no rule "b-video\.role-counts"/,
    ],
    [
      'an error of a rule',
      'rules: { c-video.balance-is-positive: { error: quota_gon } }',
      /^1:10 .*there is no error/,
    ],
    ['a case', 'cases: { c-video: { unauthorised: access_denied } }', /^1:21 .*unauthorised/],
    [
      'an operation',
      'answers: { c-video.reed: { remove: [seed] } }',
      '1:12 there is no operation "c-video.reed": did you mean c-video.read?',
    ],
    [
      'a state',
      'answers: { c-video.read@finished: { remove: [seed] } }',
      /^1:12 c-video\.read has neither a state nor an error "finished"/,
    ],
    [
      'a field',
      'answers: { c-video.read: { remove: [sead] } }',
      '1:37 the answer has no field sead: did you mean seed?',
    ],
    [
      'a field of a template',
      "answers: { c-video.read: { set: { x: '{{sead}}' } } }",
      /^1:38 the answer has no field sead/,
    ],
    [
      'a body for a file',
      'answers: { results.download: { status: 201 } }',
      /^1:12 results\.download answers a file/,
    ],
    [
      'a prefix',
      'paths: { provX: ark }',
      /^1:10 no path of the service begins with provX: did you mean prov/,
    ],
    [
      'a family without tasks to read',
      'timing: { a-image: { running: 1s } }',
      /^1:11 there is no family "a-image" here/,
    ],
    [
      'a model of a timing',
      'timing: { b-video-task: { models: { videoa-3: { running: 1s } } } }',
      /^1:37 there is no model "videoa-3"/,
    ],
    [
      'a size of a timing',
      'timing: { b-video-task: { sizes: { 1081p: { running: 1s } } } }',
      '1:36 there is no size "1081p": did you mean 1080p? Also possible: 480p, 720p',
    ],
    [
      'a family without callbacks',
      'callbacks: { c-video: { handshake: on } }',
      /^1:14 there is no family "c-video" here/,
    ],
    ['models that end in no s', 'model: {}', '1:1 there is no key "model" here: did you mean models?'],
    [
      'seconds as a text',
      "models: { gamma-H3: { seconds: '4-20' } }",
      '1:32 seconds must be the least seconds and the most, such as [4, 15], found "4-20"',
    ],
    [
      'pixels of which no video can be made',
      "models: { x: { like: gamma-H3, sizes: { odd: { '16:9': { width: 853, height: 480 } } } } }",
      '1:65 width must be an even number from 2 to 8192, found 853',
    ],
    [
      'a part of a row that no answer shows',
      'errors: { b-video-task: { SetLimitExceeded: { number: 5 } } }',
      '1:27 b-video-task: errors.SetLimitExceeded.number: its errors have no number that an answer shows',
    ],
    [
      'a rule that cannot be off',
      'rules: { b-video-task.rate-limit: off }',
      '1:10 b-video-task: the rule rate-limit cannot be switched off',
    ],
    [
      'a bound below 0',
      'rules: { f-video-v2.role-counts: { reference_image: -1 } }',
      '1:10 f-video-v2: role-counts.reference_image must be at least 0, found -1',
    ],
    [
      'a misspelt case',
      'cases: { b-video-task: { unauthentcated: AccountOverdueError } }',
      '1:26 there is no key "unauthentcated" here: did you mean unauthenticated?',
    ],
    [
      'a time in which nothing can answer',
      'callbacks: { b-video-task: { timeout: 0s } }',
      '1:39 timeout must be a duration above 0, such as 500ms or 10s, found "0s"',
    ],
    [
      'a word of a signed text',
      "callbacks: { b-video-task: { signature: { header: X-S, secret: s, signs: '{time}.{body}' } } }",
      /^1:74 signs must be a text whose words in braces are \{timestamp\}, \{id\} and \{body\}/,
    ],
    [
      'a signed time of which no header tells',
      "callbacks: { b-video-task: { signature: { header: X-S, secret: s, signs: '{timestamp}.{body}' } } }",
      /^1:74 signs must be a text without \{timestamp\}, where no header timestamp holds it/,
    ],
    [
      'one header for signature and time',
      'callbacks: { b-video-task: { signature: { header: X-S, timestamp: x-s, secret: s } } }',
      /^1:67 timestamp must be another header than that of the signature/,
    ],
    [
      'fields of a text',
      'answers: { routes.a: { set: { x: 1 } } }\nroutes: [{ id: a, method: GET, path: /a, answer: { text: a } }]',
      /^1:12 routes\.a answers a text, of which status and headers can be changed, found set/,
    ],
    [
      'a parameter that the path has not',
      "routes: [{ id: a, method: GET, path: '/a/{id}', answer: { text: '{{path.idd}}' } }]",
      '1:65 the path has no {idd}: did you mean id?',
    ],
    ['a duration', 'timing: { b-video-task: { queued: soon } }', /^1:35 queued must be a duration/],
    [
      'a root of a template',
      "routes: [{ id: a, method: GET, path: /a, answer: { text: '{{bodi.x}}' } }]",
      /^1:58 \{\{bodi\.x\}\} begins with none of body, path/,
    ],
    [
      'a file that is not there',
      'routes: [{ id: a, method: GET, path: /a, answer: { file: no.txt } }]',
      '1:58 There is no file no.txt',
    ],
    [
      'an answer and a host',
      'routes: [{ id: a, method: GET, path: /a, answer: {}, forward: http://a.test }]',
      /^1:10 .*with either answer or forward/,
    ],
    [
      'a secret of another type',
      'callbacks: { f-video-v2: { signature: { header: X-S, secret: 17 } } }',
      '1:62 secret must be a string',
    ],
  ])('%s', async (_, text, expected) =>
    expect(await flawsIn(text)).toEqual([
      expected instanceof RegExp ? expect.stringMatching(expected) : expect.stringContaining(expected),
    ]),
  )
})

describe('contradictions are named with both places', () => {
  test.each([
    [
      'two models of one id',
      'models: { gamma-H3: { like: gamma-H3-Max } }',
      /^1:11 there are two models gamma-H3: f-video-v2 has this one already/,
    ],
    [
      'a key twice',
      'models:\n  x: { like: gamma-H3 }\n  x: { like: gamma-H3 }',
      '3:3 this key stands here twice, first at 2:3: give it once',
    ],
    [
      'a rename onto a field that is there',
      'answers: { c-video.read: { rename: { seed: status } } }',
      /^1:44 the answer has a field status already, which seed would replace/,
    ],
    [
      'two keys that write one field',
      'answers:\n  c-video.read:\n    move: { seed: made.by }\n    set: { made.by: acme }',
      /^4:21 made\.by is written at .*:3:19 too/,
    ],
    [
      'a key that overwrites what another has written within it',
      'answers:\n  c-video.read:\n    move: { seed: made.by }\n    set: { made: acme }',
      /^4:18 made is written at .*:3:19 too/,
    ],
    [
      'a key that overwrites the wrapped body',
      'answers: { c-video.read: { wrap: data, set: { data: 1 } } }',
      /^1:53 data is written at .*:1:34 too/,
    ],
    [
      'two keys that take one field away',
      'answers: { c-video.read: { remove: [seed], rename: { seed: draw } } }',
      /^1:54 seed is taken away at .*:1:37 too/,
    ],
    [
      'a range that ends before it begins',
      'timing: { b-video-task: { queued: [3s, 2s] } }',
      '1:35 the end of the range is below its beginning',
    ],
    [
      'a bound below another',
      'rules: { f-video-v2.image-sides: { min: 900, max: 800 } }',
      /^1:41 min is 900 and max at .*:1:51 is 800, below it/,
    ],
    [
      'a bound above that of the family',
      'rules: { f-video-v2.image-sides: { min: 6000 } }',
      /^1:10 .*min is 6000 and max is 5760, below it/,
    ],
    [
      'seconds that end before they begin',
      'models: { gamma-H3: { seconds: [9, 4] } }',
      /^1:32 seconds must be the least seconds and the most/,
    ],
    [
      'a percentile below the median',
      'timing: { b-video-task: { running: { median: 9s, p95: 8s } } }',
      '1:36 p95 is below median',
    ],
    [
      'two routes of one id',
      'routes:\n  - { id: a, method: GET, path: /a, answer: {} }\n  - { id: a, method: GET, path: /b, answer: {} }',
      /^3:11 there are two routes a: the other stands at .*:2:11$/,
    ],
    [
      'two routes of one path',
      "routes:\n  - { id: a, method: GET, path: '/a/{x}', answer: {} }\n  - { id: b, method: GET, path: '/a/{y}', answer: {} }",
      /^3:33 GET \/a\/\{y\} is answered by the route a at .*:2:33 already/,
    ],
    [
      'a route behind a wider one',
      "routes:\n  - { id: a, method: GET, path: '/v9/{x}/{y}', answer: {} }\n  - { id: b, method: GET, path: '/v9/files/{y}', answer: {} }",
      /^3:33 GET \/v9\/files\/\{y\} is answered by the route a at .*:2:33 already: write this one before it/,
    ],
    [
      'a parameter twice',
      "routes: [{ id: a, method: GET, path: '/a/{x}/b/{x}', answer: {} }]",
      '1:38 the path has two parameters {x}',
    ],
    [
      'a prefix of the emulator',
      'paths:\n  v1: results',
      /^2:3 c-video\.create would answer \/results\/videos: paths under \/_backlot and \/results/,
    ],
    [
      'a route of a family',
      'routes: [{ id: a, method: POST, path: /v1/videos, answer: {} }]',
      '1:39 POST /v1/videos is answered by c-video.create already',
    ],
  ])('%s', async (_, text, expected) => {
    const flaws = await flawsIn(text)
    expect(flaws).toEqual([
      typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected),
    ])
  })
})

test('a field may be renamed onto one that goes in the same row', async () =>
  expect(await flawsIn('answers: { c-video.read: { rename: { seed: status, status: state } } }')).toEqual([]))

test.each([
  [
    'a field of another operation on the same route',
    'answers: { c-video.read: { rename: { seconds: duration_s } } }',
    [],
  ],
  [
    'a field of another route',
    'answers: { b-video-task.read: { rename: { seconds: duration_s } } }',
    [expect.stringMatching(/^1:43 the answer has no field seconds/)],
  ],
])('%s', async (_, text, flaws) => expect(await flawsIn(text)).toEqual(flaws))

test('a profile of a newer version says which version wrote it', async () => {
  expect(await flawsIn('writtenBy: 99.1.0\nmodels: {}\nweather: fine')).toEqual([
    expect.stringMatching(/^1:12 this profile was written by Backlot 99\.1\.0, and this is \d+\.\d+\.\d+/),
    expect.stringMatching(/^3:1 there is no key "weather" here/),
  ])
  expect(await flawsIn('writtenBy: 99.1.0\nmodels: {}')).toEqual([])
})

test('JSON and modules are read too; a module has paths in place of lines', async () => {
  expect(await flawsIn('{"paths": {"provB": "ark"}}', 'profile.json')).toEqual([])
  expect(await flawsIn("export default { paths: { provB: 'ark' } satisfies object }", 'a.ts')).toEqual([])
  expect(await flawsIn("export default { paths: { provX: 'ark' } }", 'a.mjs')).toEqual([
    expect.stringMatching(/^1:1 paths\.provX: no path of the service begins with provX/),
  ])
  await expect(checkProfileFile(await fileOf('export const paths = {}', 'b.mjs'))).rejects.toThrow(
    /has no default export/,
  )
  await expect(checkProfileFile(await fileOf('throw new Error("no")', 'c.mjs'))).rejects.toThrow(
    /cannot be loaded: no/,
  )
  await expect(checkProfileFile('nowhere.yaml')).rejects.toMatchObject({ code: 'no-such-file' })
})

test('of several profiles the later ones win, and each value has its place', async () => {
  const folder = newFolder()
  const one = await fileOf(
    'errors:\n  c-video:\n    quota_gone: { status: 402, message: Gone }\nroutes:\n  - { id: a, method: GET, path: /a, answer: { text: one } }\n',
    'one.yaml',
    folder,
  )
  const two = await fileOf(
    'errors:\n  c-video:\n    quota_gone: { status: 403 }\nroutes:\n  - { id: a, method: GET, path: /a2, answer: { text: two } }\n',
    'two.yaml',
    folder,
  )
  const emulator = await startOnPort({ profile: [one, two, { paths: { v1: 'w1' } }] })
  expect((await emulator.get('/a2')).text).toBe('two')
  expect((await emulator.get('/a')).status).toBe(404)
  const { body } = await emulator.get('/_backlot/profile')
  expect(body.sources).toEqual([one, two, 'profile[2]'])
  const items = body.items.map(
    (item: { key: string; value: unknown; source: string; line: number | null }) => [
      item.key,
      item.value,
      item.source,
      item.line,
    ],
  )
  expect(items).toEqual(
    expect.arrayContaining([
      ['errors.c-video.quota_gone.status', 403, two, 3],
      ['errors.c-video.quota_gone.message', 'Gone', one, 3],
      ['routes[0].path', '/a2', two, 5],
      ['paths.v1', ['w1'], 'profile[2]', null],
    ]),
  )
})

test('without a profile, there is nothing in force', async () => {
  const { get } = await startOnPort()
  expect((await get('/_backlot/profile')).body).toEqual({ sources: [], items: [] })
})

test('an emulator does not start with a wrong profile', async () => {
  const path = await fileOf('paths: { provX: ark }\nroutes: 5')
  await expect(startOnPort({ profile: [path] })).rejects.toThrow(`${path}:2:9: routes must be`)
  const other = await fileOf('paths: { provX: ark }')
  await expect(startOnPort({ profile: [other] })).rejects.toThrow(
    `${other}:1:10: no path of the service begins with provX`,
  )
  await expect(startOnPort({ profile: [{ modells: {} }] })).rejects.toThrow(
    /profile: modells: there is no key/,
  )
})

test('what is a profile and what a scenario is told by the keys', async () => {
  expect(await isProfile(await fileOf('description: x\nroutes: []'))).toBe(true)
  expect(await isProfile(await fileOf('name: x\ndescription: y\nsteps: []'))).toBe(false)
  expect(await isProfile(await fileOf('export default {}', 'x.ts'))).toBe(true)
  expect(await isProfile(await fileOf('model: {}'))).toBe(true)
  expect(await isProfile(await fileOf('name: x\nroute: []'))).toBe(false)
})

test('a profile changes no family that is given to it', async () => {
  const before = builtIn.families
  const { families } = await loadProfiles([{ paths: { provB: 'ark' } }], before)
  expect(builtIn.families).toBe(before)
  expect(builtIn.operations.some(({ route }) => route.path.startsWith('/ark/'))).toBe(false)
  expect(families).not.toBe(before)
})

test('two operations that a prefix brings onto one path are refused, those that share theirs are not', async () => {
  const video = builtIn.taskFamily('f-video-v2')
  if (video === undefined) throw new Error('there is no such family')
  const acme = { ...video, id: 'acme', routes: { create: { method: 'POST', path: '/acme/videos' } } as const }
  const base = [...builtIn.families, acme]
  await expect(loadProfiles([{ paths: { acme: 'v1' } }], base)).rejects.toThrow(
    'c-video.create and acme.create would both answer POST /v1/videos: give one of them another prefix',
  )
  await expect(loadProfiles([{ paths: { acme: 'v2', v1: 'v3' } }], base)).resolves.toBeDefined()
})

test('the least seed can be negative, as the -1 for any that services take', async () => {
  const rules = { 'e-video-reference.schema.seed': { min: -1 } }
  const { merged } = await loadProfiles([{ rules }], builtIn.families)
  expect(merged.profile.rules).toEqual(rules)
})
