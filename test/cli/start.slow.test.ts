import { EventEmitter, on, once } from 'node:events'
import { watch } from 'node:fs'
import { chmod, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { firstSignal } from '../../src/cli/start.js'
import { onFirstSignal } from '../../src/command/signals.js'
import { version } from '../../src/emulator/version.js'
import { folderWith } from '../command/settings/sources.js'
import { backlot, ended, hasSignals, STOPPED, started } from './backlot.js'
import { control, createImage, createVideo } from './requests.js'

/** A scenario whose creates are answered with a status. */
const failing = (status: number) => `name: mine
description: Every create fails.
steps:
  - when: { operation: b-video-task.create }
    then: { answer: { status: ${status} } }
`

/** An argument as the shell hands it on. */
const unquoted = (text: string): string => (text.startsWith("'") ? text.slice(1, -1) : JSON.parse(text))

describe('start', () => {
  const isEvent = (name: string) => (line: string) => JSON.parse(line).event === name

  test('the first line of JSON says where it is, and it is there', async () => {
    const emulator = await started(['--seed', '7'])
    const { url, port, process } = emulator
    expect(emulator).toMatchObject({ event: 'ready', version, seed: 7, pid: process.pid })
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect((await control(url, '/health')).status).toBe(200)
  })

  test('plain backlot starts it too', async () => {
    const running = backlot(['--port', '0', '--json'])
    expect(JSON.parse(await running.line())).toMatchObject({ event: 'ready' })
  })

  test.skipIf(!hasSignals).each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s stops it cleanly, while a connection is open',
    async (signal) => {
      const { url, process, ended } = await started()
      await control(url, '/health')
      process.kill(signal)
      expect(await ended).toMatchObject({ code: 0, err: '' })
    },
  )

  test.skipIf(!hasSignals)('the server stops cleanly while a task is under way', async () => {
    const { url, process, ended } = await started(['--timing', 'realistic'])
    await createVideo(url)
    process.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 0, err: '' })
  })

  test('a request is a JSON line', async () => {
    const { url, line } = await started()
    await createImage(url)
    expect(JSON.parse(await line(isEvent('request')))).toMatchObject({
      ...{ method: 'POST', status: 200, operation: 'a-image.create', problem: null },
    })
  })

  test('a refused request says why', async () => {
    const { url, line } = await started()
    await createImage(url, { n: 7 })
    const { status, problem } = JSON.parse(await line(isEvent('request')))
    expect(status).toBe(400)
    expect(problem).toContain('parameters.n')
  })

  test('status changes of a task are JSON lines, in their order', async () => {
    const { url, line } = await started(['--clock', 'paused'])
    await createVideo(url)
    await control(url, '/clock/advance', { method: 'POST', body: '{"to":"idle"}' })
    expect(JSON.parse(await line(isEvent('task')))).toMatchObject({ status: 'running' })
    expect(JSON.parse(await line(isEvent('task')))).toMatchObject({ status: 'succeeded' })
  })

  test('keys are never printed', async () => {
    const { url, process, line, ended } = await started([
      '--account',
      'secret-key',
      '--control-token',
      'secret-token',
    ])
    await createImage(url)
    await createImage(url, { n: 7 })
    await line(isEvent('request'))
    await line(isEvent('request'))
    process.kill('SIGTERM')
    expect((await ended).out).not.toContain('secret')
  })

  test('the request to paste works as it stands', async () => {
    const running = backlot(['start', '--port', '0'])
    const first = await running.line((line) => line.startsWith('curl '))
    const words = [first, await running.line(), await running.line()].join('\n')
    const [, url = ''] = /(http:\S+)/.exec(words) ?? []
    const [, body = ''] = /-d (.*)/.exec(words) ?? []
    const [, key = ''] = /Authorization: (Bearer [\w-]+)/.exec(words) ?? []
    const headers = { authorization: key }
    const answer = await fetch(url, { method: 'POST', headers, body: unquoted(body) })
    expect(answer.status).toBe(200)
  })

  test('the screen shows every base URL and the clock, and a line for each call', async () => {
    const running = backlot(['start', '--port', '0', '--clock', 'paused', '--seed', '9'])
    const first = await running.line()
    const [url = ''] = /http:\S+/.exec(first) ?? []
    expect(await running.line()).toContain('Clock paused, timing fast, seed 9')
    for (const base of ['/provA/api/v1', '/provB/api/v3', '/v1', '/provC/v2'])
      expect(await running.line((line) => line.includes(`${url}${base} `))).toBeDefined()
    await createImage(url, { n: 7 })
    expect(await running.line((line) => line.includes('a-image.create'))).toMatch(
      /^00:00:00Z {2}POST \/provA\S+ {2}400 {2}a-image\.create {2}parameters\.n .*found 7$/,
    )
  })

  test('without a terminal there is no colour', async () => {
    const running = backlot(['start', '--port', '0'], { environment: { FORCE_COLOR: '1' } })
    await running.line((line) => line.startsWith('curl '))
    running.process.kill('SIGTERM')
    expect((await running.ended).out).not.toContain('\u001b')
  })

  test('quiet prints the URL and nothing else', async () => {
    const running = backlot(['start', '--port', '0', '--quiet'])
    const url = await running.line()
    await createImage(url)
    running.process.kill('SIGTERM')
    expect(await running.ended).toEqual({ code: STOPPED, out: `${url}\n`, err: '' })
  })

  test('the server keeps running after the reader of its output is gone', async () => {
    const { url, process } = await started()
    process.stdout?.destroy()
    await createImage(url)
    await createImage(url)
    expect((await control(url, '/health')).status).toBe(200)
  })

  test.skipIf(!hasSignals)(
    'a reader that stops reading holds up neither the emulator nor its end',
    async () => {
      const { url, process, ended } = await started()
      process.stdout?.removeAllListeners('data').pause()
      for (let call = 0; call < 100; call += 1) await fetch(`${url}/${'x'.repeat(8_000)}`)
      expect((await control(url, '/health')).status).toBe(200)
      const exited = once(process, 'exit')
      process.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      process.stdout?.resume()
      await ended
    },
  )

  test('the scenario that plays is on the screen, and its step behind each call that it failed', async () => {
    const running = backlot(['start', '--port', '0', '--scenario', 'upstream-flapping'])
    const [url = ''] = /http:\S+/.exec(await running.line()) ?? []
    expect(await running.line((line) => line.startsWith('Scenario'))).toMatch(
      /^Scenario upstream-flapping plays \(\d+ steps\)\.$/,
    )
    await createVideo(url)
    expect(await running.line((line) => line.includes('b-video-task.create'))).toMatch(
      / step \d of upstream-flapping$/,
    )
  })

  test('a scenario file that changes is read again; a broken one changes nothing and says why', async () => {
    const folder = await folderWith({ 'mine.yaml': failing(503) })
    const running = backlot(['start', '--port', '0', '--json', '--scenario', './mine.yaml'], { folder })
    const { url } = JSON.parse(await running.line())
    expect((await createVideo(url)).status).toBe(503)
    const nextEvent = async () => JSON.parse(await running.line(isEvent('scenario')))
    await writeFile(join(folder, 'mine.yaml'), failing(502))
    expect(await nextEvent()).toMatchObject({
      ...{ file: './mine.yaml', name: 'mine', isPlayed: true },
      says: './mine.yaml has changed: the scenario mine begins anew.',
    })
    expect((await createVideo(url)).status).toBe(502)
    await writeFile(join(folder, 'next.yaml'), failing(500).replace('task.create', 'task.crate'))
    await rename(join(folder, 'next.yaml'), join(folder, 'mine.yaml'))
    expect(await nextEvent()).toMatchObject({
      isPlayed: false,
      says: expect.stringMatching(
        /^\.\/mine\.yaml has changed, and the scenario mine plays on as it was\..*mine\.yaml:4:24: .*did you mean b-video-task\.create/s,
      ),
    })
    expect((await createVideo(url)).status).toBe(502)
    await writeFile(join(folder, 'mine.yaml'), '')
    expect(await nextEvent()).toMatchObject({ isPlayed: false, says: expect.stringContaining('is empty') })
    await writeFile(join(folder, 'mine.yaml'), failing(504).replace('name: mine', 'name: yours'))
    expect(await nextEvent()).toMatchObject({ name: 'yours', isPlayed: true })
    const playing = (await (await control(url, '/scenario')).json()) as { items: { name: string }[] }
    expect(playing.items.map(({ name }) => name)).toEqual(['yours'])
    expect((await createVideo(url)).status).toBe(504)
  })

  test.skipIf(process.platform === 'win32')(
    'a scenario file of a volume of Kubernetes is read again when the volume changes',
    async () => {
      const folder = await folderWith({})
      const link = async (version: string, status: number) => {
        await mkdir(join(folder, version))
        await writeFile(join(folder, version, 'mine.yaml'), failing(status))
        await symlink(version, join(folder, '..data_tmp'))
        await rename(join(folder, '..data_tmp'), join(folder, '..data'))
      }
      await link('..1', 503)
      await symlink('..data/mine.yaml', join(folder, 'mine.yaml'))
      const running = backlot(['start', '--port', '0', '--json', '--scenario', './mine.yaml'], { folder })
      const { url } = JSON.parse(await running.line())
      expect((await createVideo(url)).status).toBe(503)
      await link('..2', 502)
      expect(JSON.parse(await running.line(isEvent('scenario')))).toMatchObject({
        name: 'mine',
        isPlayed: true,
      })
      expect((await createVideo(url)).status).toBe(502)
    },
  )

  test('a port that another Backlot has is an error that says so', async () => {
    const { port } = await started()
    const { code, out, err } = await ended(['start', '--port', String(port)])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      new RegExp(
        `^backlot: Port ${port} on 127\\.0\\.0\\.1 is taken by another Backlot \\(version .*\\n.*--port 0.*\\n$`,
      ),
    )
  })

  test('a port that another program has is an error that says what to do', async () => {
    const server = createServer((_, response) => response.end('something else'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { code, err } = await ended(['start', '--port', String(port)])
    expect(code).toBe(1)
    expect(err).toMatch(/^backlot: Port \d+ on 127\.0\.0\.1 is taken by .*\n.*--port 0.*\n$/)
  })

  test('an address of another machine is an error that says what to do', async () => {
    const { code, err } = await ended(['start', '--host', '192.0.2.1', '--port', '0'])
    expect(code).toBe(1)
    expect(err).toMatch(/^backlot: Cannot listen on 192\.0\.2\.1:0: .*\n.*--host.*\n$/)
  })

  test('beyond loopback the control API asks for a token, which is made and told', async () => {
    const { url, port, controlToken: token = '' } = await started(['--host', '0.0.0.0'])
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect((await control(url, '/clock')).status).toBe(401)
    expect((await control(url, '/clock', { headers: { 'x-backlot-token': token } })).status).toBe(200)
  })

  test('quiet tells the token too', async () => {
    const running = backlot(['start', '--port', '0', '--host', '0.0.0.0', '--quiet'])
    const url = await running.line()
    const token = (await running.line()).split(': ').at(-1) ?? ''
    expect((await control(url, '/clock', { headers: { 'x-backlot-token': token } })).status).toBe(200)
  })

  test('a token that was given is not told', async () => {
    const { url, process, ended } = await started(['--host', '0.0.0.0', '--control-token', 'secret'])
    expect((await control(url, '/clock', { headers: { 'x-backlot-token': 'secret' } })).status).toBe(200)
    process.kill('SIGTERM')
    expect((await ended).out).not.toContain('secret')
  })

  test('the control API requires no token on loopback', async () => {
    const { url } = await started()
    expect((await control(url, '/clock')).status).toBe(200)
  })

  test('only accounts that are listed are let in', async () => {
    const folder = await folderWith({ 'accounts.yaml': '- { key: secret-key, balance: 0 }\n' })
    const { url } = await started(['--account', 'accounts.yaml'], { folder })
    expect((await createVideo(url)).status).toBe(403)
    expect((await fetch(`${url}/v1/videos/x`, { headers: { authorization: 'other' } })).status).toBe(401)
  })

  test('a setting that has no effect is told of once', async () => {
    const { process, ended } = await started([], { environment: { BACKLOT_STATE_DELAY_MS: '50' } })
    process.kill('SIGTERM')
    expect(await ended).toMatchObject({
      code: STOPPED,
      err: expect.stringMatching(/^backlot: The setting stateDelayMs is deprecated and has no effect: .*\n$/),
    })
  })

  test('the configuration file and the environment are read', async () => {
    const folder = await folderWith({ 'backlot.config.yaml': 'clock: paused\nseed: 5\n' })
    const { url, ...ready } = await started([], { folder, environment: { BACKLOT_SEED: '6' } })
    expect(ready).toMatchObject({ seed: 6 })
    expect(await (await control(url, '/clock')).json()).toMatchObject({ mode: 'paused' })
  })

  test('a log below a file is an error of two lines', async () => {
    expect(await ended(['start', '--port', '0', '--log-file', 'backlot.ts/x.log'])).toEqual({
      code: 2,
      out: '',
      err: [
        'backlot: The log cannot be written to backlot.ts/x.log: a part of its path is no folder.',
        'Name a file in a folder that may be written to (logFile), or - for standard output.\n',
      ].join('\n'),
    })
  })

  test('an unexpected error is reported in two lines, without a stack', async () => {
    const folder = await folderWith({
      'backlot.config.mjs': 'setImmediate(() => { throw new TypeError("later") })\nexport default {}\n',
    })
    const { code, err } = await ended(['start', '--port', '0', '--json'], { folder })
    expect(code).toBe(1)
    expect(err).toMatch(
      /^backlot: This should not have happened: TypeError: later\nat .*backlot\.config\.mjs:1:\d+.*\n$/,
    )
  })
})

// The program that opens the browser is another one on other platforms.
describe.skipIf(process.platform !== 'linux')('start --open', () => {
  const withOpener = async (script: string) => {
    const folder = await folderWith({ 'xdg-open': `#!/bin/sh\n${script}\n` })
    await chmod(join(folder, 'xdg-open'), 0o755)
    return folder
  }

  test('opens the page, without the token among the arguments', async () => {
    const folder = await withOpener(
      `echo "$@" > "$(dirname "$0")/opened.part" && mv "$(dirname "$0")/opened.part" "$(dirname "$0")/opened"`,
    )
    const watcher = watch(folder)
    const opened = on(watcher, 'change')
    const environment = { PATH: `${folder}:${process.env.PATH}` }
    const running = backlot(['--port', '0', '--json', '--open', '--control-token', 'a-secret-token'], {
      environment,
    })
    const { url } = JSON.parse(await running.line())
    for await (const [, filename] of opened) if (filename === 'opened') break
    watcher.close()
    expect(await readFile(join(folder, 'opened'), 'utf8')).toBe(`${url}/_backlot/ui/\n`)
  })

  test('says where the page is when the program that opens it fails', async () => {
    const folder = await withOpener('exit 3')
    const running = backlot(['--port', '0', '--json', '--open'], { environment: { PATH: folder } })
    const warned = once(running.process.stderr as NodeJS.ReadableStream, 'data')
    const { url } = JSON.parse(await running.line())
    const [chunk] = await warned
    expect(String(chunk)).toBe(
      `backlot: The page was not opened (xdg-open ended with exit code 3). It is at ${url}/_backlot/ui/\n`,
    )
  })

  test('runs where there is no browser, and says where the page is', async () => {
    const running = backlot(['--port', '0', '--json', '--open'], { environment: { PATH: '/nowhere' } })
    // The line on standard output is written in the next turn, so that the warning can come before it.
    const warned = once(running.process.stderr as NodeJS.ReadableStream, 'data')
    const { url } = JSON.parse(await running.line())
    const [chunk] = await warned
    expect(String(chunk)).toContain(`The page was not opened (xdg-open cannot be started`)
    expect(String(chunk)).toContain(`It is at ${url}/_backlot/ui/`)
    expect((await control(url, '/health')).status).toBe(200)
  })
})

test.each([
  ['BACKLOT_SWEEP', `BACKLOT_SWEEP names ${import.meta.filename}, which is no folder of a sweep.`],
  ['BACKLOT_COVERAGE', `The folder ${import.meta.filename} for coverage cannot be made:`],
])('%s that names no folder is refused', async (name, message) => {
  const environment = { [name]: import.meta.filename }
  const { code, err } = await ended(['start', '--port', '0'], { environment })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
})

test.each([
  ['the same one at once, as of GNU timeout', 'SIGTERM', 50, []],
  ['the same one later', 'SIGTERM', 150, [143]],
  ['another one at once', 'SIGINT', 50, [130]],
])('a second signal: %s', async (_, signal, afterMs, codes) => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const source = new EventEmitter()
  const signalled = firstSignal(source)
  source.emit('SIGTERM', 'SIGTERM')
  now.mockReturnValue(afterMs)
  source.emit(signal, signal)
  now.mockRestore()
  expect(await signalled).toBe('SIGTERM')
  expect(exit.mock.calls.flat()).toEqual(codes)
})

test('a signal that npm repeats as the command of exec ends by it is no second one', () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const now = vi.spyOn(performance, 'now')
  const source = new EventEmitter()
  let hasEnded = false
  onFirstSignal(
    ['SIGINT'],
    () => {},
    source,
    () => hasEnded,
  )
  const signalAt = (ms: number) => {
    now.mockReturnValue(ms)
    source.emit('SIGINT', 'SIGINT')
  }
  for (const ms of [0, 5, 3_000]) signalAt(ms)
  hasEnded = true
  signalAt(3_005)
  expect(exit).not.toHaveBeenCalled()
  signalAt(3_500)
  now.mockRestore()
  expect(exit.mock.calls.flat()).toEqual([130])
})
