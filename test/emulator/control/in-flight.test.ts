import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { endedHere } from '../../cli/backlot.js'
import { bodies, KEY, paths, type StartedEmulator, startOnPort } from '../../emulator.js'

/** Keeps files from being rendered. @returns what lets them go */
const holdRenders = ({ emulator }: StartedEmulator): (() => void) => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const open = emulator.renderer.open.bind(emulator.renderer)
  const spy = vi.spyOn(emulator.renderer, 'open').mockImplementation(async (...args) => {
    await held
    return open(...args)
  })
  onTestFinished(() => {
    letGo()
    spy.mockRestore()
  })
  return letGo
}

const NOT_SENT = /^no answer yet, being rendered for \d+\.\d s$/

const videoOf = async (started: StartedEmulator) => {
  const id = await started.createB({ duration: 4, resolution: '480p' })
  await started.clock.advance({ to: 'idle' })
  return { id, url: (await started.query(id)).body.content.video_url as string }
}

test('a download that is being rendered is listed as in flight until it is sent, for its account alone', async () => {
  const started = await startOnPort()
  const { id, url } = await videoOf(started)
  const letGo = holdRenders(started)
  const download = fetch(url)
  const { requests } = started
  await expect
    .poll(() => requests.inFlight())
    .toMatchObject([
      {
        operation: 'results.download',
        method: 'GET',
        path: new URL(url).pathname,
        task: id,
        waitsFor: 'rendering',
        says: expect.stringMatching(NOT_SENT),
      },
    ])
  expect(JSON.stringify(await requests.inFlight())).not.toContain('Signature')
  expect(await started.as('another').requests.inFlight()).toEqual([])
  const all = (await (await fetch(`${started.url}/_backlot/requests?all`)).json()) as { inFlight: object[] }
  expect(all.inFlight).toHaveLength(1)
  letGo()
  await (await download).arrayBuffer()
  expect(await requests.inFlight()).toEqual([])
  expect(await requests.count({ operation: 'results.download' })).toMatchObject({ total: 1 })
})

test('the timeline, from which a failed test is explained, ends with it; explain begins with it', async () => {
  const started = await startOnPort()
  const { url } = await videoOf(started)
  const letGo = holdRenders(started)
  const download = fetch(url)
  const { pathname } = new URL(url)
  await expect.poll(() => started.requests.inFlight()).toHaveLength(1)
  expect((await started.timeline()).at(-1)).toMatchObject({
    kind: 'request',
    says: expect.stringMatching(
      new RegExp(`^GET ${pathname} → no answer yet, being rendered for \\d+\\.\\d s$`),
    ),
  })
  const { out, code } = await endedHere(['explain', '--url', started.url, '--key', KEY])
  expect(code).toBe(0)
  expect(out).toMatch(
    new RegExp(
      `^Under way:\n {2}GET ${pathname}: no answer yet, being rendered for \\d+\\.\\d s\\.\n\nGET \\S+ {2}200\n`,
    ),
  )
  letGo()
  await (await download).arrayBuffer()
})

test('a call whose body is still coming in says so, and no longer once its client has left', async () => {
  const started = await startOnPort()
  const socket = connect(started.port, '127.0.0.1')
  await once(socket, 'connect')
  const body = JSON.stringify(bodies.task())
  socket.write(
    `POST ${paths.tasks} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
  )
  await expect
    .poll(() => started.requests.inFlight())
    .toMatchObject([{ operation: 'b-video-task.create', waitsFor: 'body', task: null }])
  expect((await endedHere(['explain', '--url', started.url])).out).toMatch(
    /^Under way:\n {2}POST \S+: no answer yet, its body being received for \d+\.\d s\.\n/,
  )
  socket.destroy()
  await expect.poll(() => started.requests.inFlight()).toEqual([])
})

test('a file that a scenario holds back says so', async () => {
  const started = await startOnPort()
  const { url } = await videoOf(started)
  await started.scenario.play({
    name: 'slow',
    description: 'Downloads take an hour.',
    steps: [{ when: { operation: 'results.download' }, then: { transport: { delay: '1h' } } }],
  })
  const left = new AbortController()
  const download = fetch(url, { signal: left.signal }).catch(() => {})
  await expect
    .poll(() => started.requests.inFlight())
    .toMatchObject([
      {
        waitsFor: 'scenario',
        says: expect.stringMatching(/^no answer yet, held back by a scenario for \d+\.\d s$/),
      },
    ])
  left.abort()
  await download
  // The connection may only be half closed, which is waited for.
  await expect.poll(() => started.requests.inFlight()).toEqual([])
})
