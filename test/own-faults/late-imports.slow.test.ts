import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { backlot } from '../cli/backlot.js'
import { control, createImage } from '../cli/requests.js'

const HANDLES = 64

/** Calls over one connection, which is open before the file handles are used up; resolves with the status. */
const callsTo = (port: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return async (method: string, path: string, form?: FormData): Promise<number | undefined> => {
    const encoded = new Response(form)
    const headers = { authorization: 'Bearer secret-key', ...Object.fromEntries(encoded.headers) }
    const sent = request({ port, agent, method, path, headers })
    sent.end(form === undefined ? undefined : Buffer.from(await encoded.arrayBuffer()))
    const [answer] = await once(sent, 'response')
    await once(answer.resume(), 'end')
    return answer.statusCode
  }
}

/** Opens connections until the emulator has no file handles left, and none comes free; the function that is returned closes them. */
const useUpHandles = async (port: number, pid: number): Promise<() => void> => {
  const sockets: Socket[] = []
  let polls = 0
  const pollsWithoutHandles = () => {
    // The emulator accepts connections later than they are open here. It may have inherited a handle beyond its limit.
    polls = readdirSync(`/proc/${pid}/fd`).length >= HANDLES ? polls + 1 : 0
    sockets.push(connect(port, '127.0.0.1').on('error', () => {}))
    return polls
  }
  await expect.poll(pollsWithoutHandles, { interval: 5, timeout: 20_000 }).toBe(20)
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

// Node keeps a failed import, so that what is imported at its first use would stay away for ever.
test.skipIf(process.platform !== 'linux')(
  'what found no file handles at its first use works once there are some',
  async () => {
    const args = ['start', '--port', '0', '--json', '--clock', 'paused']
    const running = backlot(args, { before: ['bash', '-c', `ulimit -n ${HANDLES}; exec "$0" "$@"`] })
    const { url, port, pid } = JSON.parse(await running.line())
    const created = await (await createImage(url)).text()
    const result = new URL(/http[^"]+/.exec(created)?.[0] ?? '')
    await control(url, '/health')
    const form = new FormData()
    const bytes = await readFile(new URL('../../fixtures/media/first-frame.png', import.meta.url))
    form.set('file', new File([bytes], 'frame.png', { type: 'image/png' }))
    const call = callsTo(port)
    const statuses = async () => [
      await call('GET', result.pathname + result.search),
      await call('POST', '/v1/asset/upload', form),
      await call('GET', '/_backlot/requests?format=replay'),
      await call('GET', '/_backlot/openapi.json'),
      await call('GET', '/_backlot/ui/'),
    ]
    expect(await call('GET', '/v1/videos/none')).toBe(404)
    const free = await useUpHandles(port, pid)
    expect(await statuses()).toEqual([500, 500, 500, 500, 500])
    free()
    await expect.poll(statuses).toEqual([200, 200, 200, 200, 200])
  },
)
