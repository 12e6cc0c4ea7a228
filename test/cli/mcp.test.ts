import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createServer, loadSdk } from '../../src/cli/mcp/server.js'
import { openTarget } from '../../src/cli/mcp/target.js'
import { actionsByTool, toolTable } from '../../src/cli/mcp/tool-table.js'
import type { Options } from '../../src/command/command.js'
import { startEmulator } from '../../src/index.js'
import { createVideo } from './requests.js'

beforeEach(() => void vi.stubEnv('BACKLOT_URL', ''))

/** A client of the SDK, connected to a server that acts on the emulator that the options name. */
const connected = async (options: Options = {}) => {
  const target = await openTarget(options)
  const server = await createServer(await loadSdk(), target)
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  onTestFinished(async () => {
    await client.close()
    await target.stop()
  })
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: input })
    const [{ text }] = content as [{ readonly text: string }]
    return { isError: isError === true, text, read: isError ? undefined : JSON.parse(text) }
  }
  return { client, call, url: target.place.url }
}

describe('tools', () => {
  test('every action is a tool or has a reason why it is none', async () => {
    const { client } = await connected()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['connection', ...actionsByTool.keys(), 'coverage_gaps'])
    const reasons = Object.values(toolTable).filter((declared) => typeof declared === 'string')
    expect(actionsByTool.size + reasons.length).toBe(Object.keys(toolTable).length)
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z_]{1,64}$/)
      expect(description).toMatch(/\.$/)
      // Clients of several models take nothing but an object at the top.
      expect(Object.keys(inputSchema)).not.toEqual(expect.arrayContaining(['oneOf']))
      expect(JSON.stringify(inputSchema)).not.toContain('x-type')
    }
  })

  test('each says what it may change', async () => {
    const { client } = await connected()
    const { tools } = await client.listTools()
    const hintsOf = (name: string) => tools.find((tool) => tool.name === name)?.annotations
    expect(hintsOf('requests_read')).toMatchObject({ readOnlyHint: true, destructiveHint: false })
    expect(hintsOf('dry_run')).toMatchObject({ readOnlyHint: true, idempotentHint: true })
    expect(hintsOf('clock_advance')).toMatchObject({
      ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    })
    expect(hintsOf('reset')).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    for (const { annotations, description } of tools)
      expect(description?.endsWith('Changes nothing.')).toBe(annotations?.readOnlyHint)
  })

  test('those that read change nothing in the journal of a recording', async () => {
    const { client, call } = await connected({ clock: 'paused' })
    const { tools } = await client.listTools()
    const before = (await call('account_read')).read
    for (const { name, annotations, inputSchema } of tools)
      if (annotations?.readOnlyHint === true && inputSchema.required === undefined && name !== 'doctor_read')
        await call(name)
    expect((await call('account_read')).read).toEqual(before)
  })
})

test('a refused call is explained, and a good one is tried first', async () => {
  const { call } = await connected()
  const { read: connection } = await call('connection')
  expect(connection).toMatchObject({
    isOwn: true,
    bases: expect.arrayContaining([expect.objectContaining({ url: `${connection.url}/provB/api/v3` })]),
  })
  const refused = await createVideo(connection.url, { duration: 99 })
  expect(refused.status).toBe(400)
  const { read: list } = await call('requests_list', { account: 'secret-key' })
  expect(list.total).toBe(1)
  const { read: explained } = await call('requests_read', { account: 'secret-key', id: list.items[0].id })
  expect(explained.explanation.join(' ')).toContain('duration')
  // The account of another key has no such call.
  expect((await call('requests_list')).read.total).toBe(0)
  const body = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a lighthouse' }] }
  const { read: tried } = await call('dry_run', { operation: 'b-video-task.create', body })
  expect(tried).toMatchObject({ status: 200, refusedBy: [] })
})

test('a scenario is checked, played and stopped, and the clock is advanced to the end of a task', async () => {
  const { call, url } = await connected()
  const account = 'secret-key'
  expect(
    (await call('scenarios_check', { text: 'name: mine\nsteps: [{ then: {} }]\n' })).read.problems,
  ).not.toEqual([])
  await call('scenario_play', { account, name: 'rate-limit-burst' })
  expect((await createVideo(url)).status).toBe(429)
  await call('scenario_stop', { account })
  const { id } = (await (await createVideo(url)).json()) as { id: string }
  await call('clock_advance', { account, to: 'idle' })
  expect((await call('tasks_read', { account, id })).read).toMatchObject({ status: 'succeeded' })
  expect((await call('wait', { account, for: 'task', id, status: 'succeeded' })).read).toMatchObject({ id })
  const { read } = await call('verdict_read', { account })
  expect(read.items.map(({ kind }: { kind: string }) => kind)).toContain('abandoned-task')
})

test('coverage is that of the calls so far', async () => {
  const { call, url } = await connected()
  expect((await call('coverage_gaps')).read.families.used).toEqual([])
  await createVideo(url)
  const { read } = await call('coverage_gaps', { kind: 'operations' })
  expect(read.families.used).toEqual(['b-video-task'])
  const missing = read.items.map(({ item }: { item: string }) => item)
  expect(missing).toContain('b-video-task.list')
  expect(missing).not.toContain('b-video-task.create')
  expect((await call('coverage_gaps', { report: '/no/such/file' })).text).toContain('/no/such/file')
})

test('long lists are cut, and a search narrows them down', async () => {
  const { call } = await connected()
  const { read: all } = await call('rules_list')
  expect(all.items.length + all.more).toBe(all.total)
  expect(JSON.stringify(all.items).length).toBeLessThan(25_000)
  const { read: found } = await call('rules_list', { search: 'C-VIDEO.' })
  expect(found.total).toBeLessThan(all.total)
  const { read: scenarios } = await call('scenarios_list')
  expect(scenarios.more).toBeUndefined()
  expect(scenarios.items[0].text).toBeUndefined()
  const { read: one } = await call('scenarios_list', { search: 'rate-limit-burst' })
  expect(one.items[0].text).toContain('rate-limit-burst')
})

test('a mistake is an answer that says what is wrong', async () => {
  const { call } = await connected()
  expect(await call('clock_advance', { by: '10 min' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('10 min'),
  })
  expect(await call('clock_advanse')).toMatchObject({
    isError: true,
    text: expect.stringContaining('did you mean clock_advance?'),
  })
})

test('the pages of the documentation are resources', async () => {
  const { client } = await connected()
  const { resources } = await client.listResources()
  const testing = resources.find(({ uri }) => uri === 'backlot://docs/testing.md')
  expect(testing).toMatchObject({ title: 'Testing with Backlot', mimeType: 'text/markdown' })
  const { contents } = await client.readResource({ uri: 'backlot://docs/families/c-video.md' })
  expect(contents[0]).toMatchObject({ text: expect.stringMatching(/^# /) })
  const schema = await client.readResource({ uri: 'backlot://scenarios/scenario.schema.json' })
  expect(JSON.parse((schema.contents[0] as { text: string }).text)).toHaveProperty('properties')
  await expect(client.readResource({ uri: 'backlot://package.json' })).rejects.toThrow('There is no resource')
  await expect(client.readResource({ uri: 'backlot://docs/../package.json' })).rejects.toThrow()
})

describe('an emulator that runs elsewhere', () => {
  test('is joined by --url and by the variable', async () => {
    const emulator = await startEmulator()
    onTestFinished(() => emulator.stop())
    const { call } = await connected({ url: emulator.url })
    await createVideo(emulator.url)
    expect((await call('tasks_list', { account: 'secret-key' })).read.total).toBe(1)
    expect((await call('requests_list', { all: true })).read.total).toBe(1)
    expect(await call('coverage_gaps')).toMatchObject({
      isError: true,
      text: expect.stringContaining('backlot coverage --json'),
    })
    vi.stubEnv('BACKLOT_URL', emulator.url)
    const other = await connected()
    expect((await other.call('connection')).read).toMatchObject({ url: emulator.url, isOwn: false })
  })

  test('takes no settings, and is told at once that nothing answers', async () => {
    await expect(openTarget({ url: 'http://127.0.0.1:1', seed: '7' })).rejects.toMatchObject({
      code: 'wrong-usage',
      message: expect.stringContaining('--seed'),
    })
    await expect(openTarget({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({ code: 'unreachable' })
  })
})

test('the log cannot go to standard output, which belongs to the protocol', () =>
  expect(openTarget({ logFile: '-' })).rejects.toMatchObject({ code: 'wrong-usage' }))

test('without the SDK, a sentence says what to install', async () => {
  const missing = Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' })
  await expect(loadSdk(() => Promise.reject(missing))).rejects.toMatchObject({
    code: 'mcp-sdk-missing',
    message: expect.stringContaining('npm install --save-dev @modelcontextprotocol/sdk'),
  })
  // Another error is no missing package.
  await expect(loadSdk(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
