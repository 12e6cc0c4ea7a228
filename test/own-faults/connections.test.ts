import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HealthIssue } from '../../src/emulator/core/events.js'
import { createEmulator } from '../../src/emulator/emulator.js'
import { listen } from '../../src/emulator/listen.js'
import { readSettings } from '../../src/emulator/settings.js'
import { startOnPort } from '../emulator.js'
import { askAt } from '../security/raw-calls.js'

/** An emulator on a port, with the health issues that it has told of. */
const startWithIssues = async () => {
  const started = await startOnPort()
  const issues: HealthIssue[] = []
  started.emulator.events.on('trouble', (issue) => issues.push(issue))
  return { ...started, issues }
}

const errorOf = (code: string) => Object.assign(new Error(`accept ${code}`), { code, syscall: 'accept' })

test('an error of the socket is told once, ends nothing, and is over with the next connection', async () => {
  const { server, port, issues } = await startWithIssues()
  for (let times = 0; times < 3; times += 1) server.emit('error', errorOf('EMFILE'))
  expect((await askAt(port, '/_backlot/health')).status).toBe(200)
  expect(issues.map(({ state, times }) => `${state} ${times}`)).toEqual(['begun 1', 'over 3'])
  expect(issues[0]?.says).toContain('Connections cannot be taken: accept EMFILE')
})

test('a server that is closed on purpose stays closed and says nothing', async () => {
  const { server, stop, issues } = await startWithIssues()
  await stop()
  server.emit('error', errorOf('EBADF'))
  expect([server.listening, issues]).toEqual([false, []])
})

test('a port that is taken at the start is an error that says so', async () => {
  const { port } = await startOnPort()
  await expect(listen(createEmulator(readSettings({ port })))).rejects.toMatchObject({ code: 'port-taken' })
})

// On macOS the title of a process is not its name.
test.skipIf(process.platform === 'darwin')(
  'a port whose program takes connections and says nothing is waited for a second',
  async () => {
    // A program on Node is given ten seconds, since it may be a busy Backlot; so the process has another name.
    const silent =
      "process.title = 'silent'; s = net.createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))"
    const child = spawn(process.execPath, ['-e', silent], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const [port] = await once(child.stdout, 'data')
    // Each wait is over at once.
    const waits: number[] = []
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      waits.push(ms)
      return AbortSignal.abort()
    })
    await expect(listen(createEmulator(readSettings({ port: Number(port) })))).rejects.toMatchObject({
      code: 'port-taken',
    })
    expect(waits).toEqual([1_000])
  },
)
