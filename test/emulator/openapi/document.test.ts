import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { complaintsAbout } from '../../../scripts/check-openapi.js'
import { command } from '../../../src/cli/openapi.js'
import { host } from '../../../src/cli/program.js'
import { actions } from '../../../src/emulator/control/actions/index.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { openApiDocument } from '../../../src/emulator/openapi/document.js'
import { operationDocs } from '../../../src/emulator/openapi/service.js'
import { startEmulator } from '../../../src/index.js'

const { operations } = builtIn

test.each([undefined, 'service', 'control'] as const)(
  'a linter has nothing against it (part: %s)',
  async (part) => {
    expect(await complaintsAbout(await openApiDocument(actions, { part }))).toEqual([])
  },
)

test('a linter would have something against a wrong one', async () => {
  const document = await openApiDocument(actions)
  expect(
    await complaintsAbout({ ...document, info: { title: 'x' }, security: [{ nobody: [] }] }),
  ).not.toEqual([])
})

test('every operation has a description, and there are no others', () =>
  expect(Object.keys(operationDocs(builtIn)).sort()).toEqual(operations.map(({ id }) => id).sort()))

test('every format is one that JSON Schema has', async () => {
  const text = JSON.stringify(await openApiDocument(actions))
  const formats = [...text.matchAll(/"type":(?:"string"|\["string","null"\]),"format":"([^"]*)"/g)].map(
    ([, format]) => format,
  )
  expect([...new Set(formats)].sort()).toEqual(['date-time', 'uri'])
})

test('a shared route names its operations, and the model tells their bodies apart', async () => {
  const { paths } = await openApiDocument(actions)
  const create = paths['/v1/videos']?.post
  expect(create?.operationId).toBe('c-video.create')
  expect(create?.['x-operations']).toEqual(['c-video.create', 'e-video-reference.create'])
  const mapping = create?.requestBody?.content['application/json']?.schema.discriminator?.mapping
  expect(mapping).toMatchObject({
    'videoa-2-0-260128': '#/components/schemas/UnifiedVideoRequest',
    'beta2.7-r2v': '#/components/schemas/ReferenceVideoRequest',
  })
})

test('refusals stand under their status, each with a body to look at', async () => {
  const { paths } = await openApiDocument(actions, { part: 'service' })
  const cancel = paths['/provB/api/v3/contents/generations/tasks/{id}']?.delete
  expect(Object.keys(cancel?.responses ?? {})).toEqual(['200', '401', '404', '409', '500'])
  expect(Object.keys(cancel?.responses[409]?.content?.['application/json']?.examples ?? {})).toEqual([
    'InvalidAction.RunningTaskDeletion',
    'InvalidAction.CancelledTaskDeletion',
  ])
})

test('who needs no key is not asked for one', async () => {
  const { paths } = await openApiDocument(actions)
  expect(paths['/v1/asset/jobs/get-asset-id']?.get?.security).toEqual([])
  expect(paths['/v1/asset/upload']?.post?.security).toEqual([{ bearer: [] }, { bareKey: [] }])
})

test('the document is served, in parts as well, with the public URL as its server', async () => {
  const emulator = await startEmulator({ publicUrl: 'http://emulator:4650' })
  onTestFinished(() => emulator.stop())
  const get = async (query: string) =>
    (await fetch(`${emulator.url}/_backlot/openapi.json${query}`)).json() as ReturnType<
      typeof openApiDocument
    >
  expect(await get('')).toEqual(await openApiDocument(actions, { server: 'http://emulator:4650' }))
  expect(Object.keys((await get('?part=control')).paths)).not.toContain('/v1/videos')
  expect(await get('?part=x')).toMatchObject({ error: { code: 'bad-input' } })
})

test('the sample requests of a served document name media of the emulator that serves it', async () => {
  const emulator = await startEmulator()
  onTestFinished(() => emulator.stop())
  const document = await (await fetch(`${emulator.url}/_backlot/openapi.json`)).text()
  const origins = document.match(/http:[^"]+(?=\/_backlot\/fixtures\/\w)/g)
  expect(new Set(origins)).toEqual(new Set([emulator.url]))
})

test('the document is printed', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((_: unknown, done?: unknown) => {
    if (typeof done === 'function') done()
    return true
  })
  onTestFinished(() => write.mockRestore())
  expect(
    await command.run({ options: { part: 'service', server: 'http://emulator:1/' }, operands: [] }, host),
  ).toBe(0)
  const printed = JSON.parse(String(write.mock.calls[0]?.[0]))
  expect(printed.servers).toEqual([{ url: 'http://emulator:1' }])
  expect(Object.keys(printed.paths)).not.toContain('/_backlot/health')
})

test.each([
  [{ part: 'all' }, '--part must be one of service, control, found "all".'],
  [{ server: 'emulator' }, '--server must be a URL, found "emulator".'],
])('%j is wrong usage', async (options, message) => {
  await expect(command.run({ options, operands: [] }, host)).rejects.toThrow(message)
})

test('the document is not loaded before it is requested', () => {
  const loads = /^(?:import (?!type)|\}).*from '[^']*openapi\/(?!part\.js|command\.js)/m
  const loaders = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('emulator/openapi/'))
    .filter((path) => loads.test(readFileSync(`src/${path}`, 'utf8')))
  expect(loaders).toEqual([])
  expect("import { openApiDocument } from '../openapi/document.js'").toMatch(loads)
})

test('every request body has an example, and a download declares 304 and HEAD', async () => {
  const { paths } = await openApiDocument(actions)
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const bare = operations.filter(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).some(({ examples = {} }) => Object.keys(examples).length === 0),
  )
  expect(bare.map(({ operationId }) => operationId)).toEqual([])
  const download = paths['/results/{account}/{task_id}/{file}']
  expect(Object.keys(download?.get?.responses ?? {})).toContain('304')
  expect(download?.head?.operationId).toBe('results.download.head')
})

test('every request body has an example, those of the control API and of the upload included', async () => {
  const { paths } = await openApiDocument(actions)
  const bodies = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).map(({ examples = {} }) => ({
        where: `${method} ${path}`,
        examples: Object.keys(examples).length,
      })),
    ),
  )
  expect(bodies.length).toBeGreaterThan(10)
  expect(bodies.filter(({ examples }) => examples === 0)).toEqual([])
})

test('a download may be answered with 304 or 412, and can be asked for with HEAD', async () => {
  const { paths } = await openApiDocument(actions, { part: 'service' })
  const { get, head } = paths['/results/{account}/{task_id}/{file}'] ?? {}
  expect([get, head].map((one) => Object.keys(one?.responses ?? {}))).toEqual([
    ['200', '206', '304', '403', '404', '412', '416'],
    ['200', '206', '304', '403', '404', '412', '416'],
  ])
})

test('the content of a video has the statuses of a download beside its own', async () => {
  const { paths } = await openApiDocument(actions, { part: 'service' })
  const { get } = paths['/v1/videos/{task_id}/content'] ?? {}
  const statuses = ['200', '206', '304', '400', '401', '404', '412', '416', '500']
  expect(Object.keys(get?.responses ?? {})).toEqual(statuses)
})

const field = async (schema: string, name: string) => {
  const { components } = await openApiDocument(actions, { part: 'service' })
  const validate = new Ajv2020({ strict: false }).compile(
    components.schemas[schema]?.properties?.[name] ?? {},
  )
  return (value: unknown) => validate(value) as boolean
}

test.each([
  ['VideoTaskRequest', 'duration', [-1, 4, 15], [-2, 0, 3, 16, 4.5]],
  ['UnifiedVideoRequest', 'seconds', [-1, 4, 15, '-1', '4', '15'], [0, 3, 16, '3', '16', '04', 'x']],
  ['ReferenceVideoRequest', 'seconds', [2, 15, '2', '15'], [1, 16, -1, '1', '-1', '2s']],
  ['ReferenceVideoRequest', 'prompt', ['x', 'x'.repeat(800)], ['', 'x'.repeat(801)]],
  ['VideoV2Request', 'duration', [4, 15], [3, 16]],
])('the schema %s says the limits of %s', async (schema, name, right, wrong) => {
  const isRight = await field(schema, name)
  expect(right.filter((value) => !isRight(value))).toEqual([])
  expect(wrong.filter(isRight)).toEqual([])
})
