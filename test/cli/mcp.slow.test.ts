import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import { backlot } from './backlot.js'
import { createVideo } from './requests.js'

test('a client starts the command, calls a tool, and the emulator ends with it', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['dist/cli.js', 'mcp', '--clock', 'on-poll'],
    env: { PATH: process.env.PATH ?? '' },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  expect(client.getServerVersion()?.name).toBe('backlot')
  expect(client.getInstructions()).toContain('http://127.0.0.1:')
  const { content } = await client.callTool({ name: 'connection', arguments: {} })
  const { url } = JSON.parse((content as [{ text: string }])[0].text)
  expect((await createVideo(url)).status).toBe(200)
  await client.close()
  await expect.poll(() => fetch(url).catch(() => 'gone'), { timeout: 10_000 }).toBe('gone')
})

test('it ends with standard input, and says what is wrong with its options', async () => {
  // Standard input is closed from the beginning.
  expect(await backlot(['mcp']).ended).toMatchObject({ code: 0, out: '', err: '' })
  const wrong = await backlot(['mcp', '--url', 'http://127.0.0.1:1', '--seed', '7']).ended
  expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--seed') })
})
