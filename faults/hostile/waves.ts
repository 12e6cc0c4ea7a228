import { creates, inShapeOf, post } from '../../test/hostile/asked.js'
import { refusedBodies } from '../../test/hostile/inputs/bodies.js'
import { lyingImages, lyingSounds, lyingVideos } from '../../test/hostile/inputs/media.js'
import { brokenRequests } from '../../test/hostile/inputs/requests.js'
import { requestText } from '../../test/hostile/wire.js'
import { type Crowded, crowd, hold, impatient, type Wave } from './wave.js'

const KEY = { Authorization: 'Bearer hostile' }
const TASKS = '/provB/api/v3/contents/generations/tasks'
const JSON_TYPE = { ...KEY, 'Content-Type': 'application/json' }
const FORM_TYPE = { ...KEY, 'Content-Type': 'multipart/form-data; boundary=b' }

/** Opens connections that say the beginning of something, and waits until the emulator has ended each of them. */
const letGo = async (target: Crowded, count: number, text: string, withinMs: number): Promise<string> => {
  let longest = 0
  await crowd(count, 500, async () => {
    const connection = await target.connect()
    const begun = performance.now()
    void connection.say(text)
    await connection.ended()
    longest = Math.max(longest, performance.now() - begun)
    connection.leave()
  })
  // Node looks for connections whose time is up once a second, or ten times as often as the time is long.
  hold(longest < withinMs + 3_000, `a connection was held for ${longest.toFixed(0)} ms`)
  return `${count} connections, each ended within ${(longest / 1_000).toFixed(1)} s`
}

const answered = async (target: Crowded, text: string | Buffer): Promise<number> => {
  const connection = await target.connect()
  void connection.say(text)
  const answer = await connection.answer()
  connection.leave()
  hold(answer !== undefined, 'a connection ended without an answer')
  return answer?.status ?? 0
}

export const waves: readonly Wave[] = [
  {
    name: 'bodies that are no JSON',
    run: async (target) => {
      const pairs = creates.flatMap((create) => refusedBodies.map((body) => ({ create, body })))
      await crowd(pairs.length * 3, 4, async (nth) => {
        const { create, body } = pairs[nth % pairs.length] as (typeof pairs)[number]
        const answer = await post(target, create.path, body.bytes(), body.headers)
        hold(
          [400, 404, 413, 415, 429].includes(answer.status),
          `${body.name}: ${answer.status} ${answer.text}`,
        )
        inShapeOf(create.family, answer)
      })
      return `${pairs.length * 3} requests`
    },
  },
  {
    name: 'requests that are no HTTP',
    run: async (target) => {
      await crowd(brokenRequests.length * 50, 50, async (nth) => {
        const broken = brokenRequests[nth % brokenRequests.length] as (typeof brokenRequests)[number]
        const status = await answered(target, broken.text())
        hold(status === broken.status, `${broken.name}: ${status}`)
      })
      return `${brokenRequests.length * 50} connections`
    },
  },
  {
    name: 'media that lie',
    run: async (target) => {
      const media = [
        ...lyingImages.map((one) => ({ ...one, kind: 'image_url', role: 'reference_image' })),
        ...lyingVideos.map((one) => ({ ...one, kind: 'video_url', role: 'reference_video' })),
        ...lyingSounds.map((one) => ({ ...one, kind: 'audio_url', role: 'reference_audio' })),
      ]
      await crowd(media.length * 3, 4, async (nth) => {
        const { name, type, bytes, kind, role } = media[nth % media.length] as (typeof media)[number]
        const url = `data:${type};base64,${bytes().toString('base64')}`
        const content = [
          { type: 'text', text: 'x' },
          { type: kind, [kind]: { url }, role },
        ]
        const body = JSON.stringify({ model: 'gamma-H3', duration: 5, content })
        const { status } = await post(target, '/provC/v2/video_generation', body)
        hold([200, 400].includes(status), `${name}: ${status}`)
      })
      return `${media.length * 3} requests`
    },
  },
  {
    name: 'headers that never end',
    run: (target) => letGo(target, 2_000, 'POST /v1/videos HTTP/1.1\r\nX-A: a', impatient.headersTimeoutMs),
  },
  {
    name: 'bodies that never end',
    run: (target) =>
      letGo(
        target,
        2_000,
        requestText('POST /v1/videos', { ...JSON_TYPE, 'Content-Length': 1_000_000 }, '{'),
        impatient.requestTimeoutMs,
      ),
  },
  {
    name: 'forms that never end',
    run: (target) =>
      letGo(
        target,
        500,
        requestText(
          'POST /v1/asset/upload',
          { ...FORM_TYPE, 'Content-Length': 1_000_000 },
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nx',
        ),
        impatient.requestTimeoutMs,
      ),
  },
  {
    name: 'clients that ask and close their half',
    run: async (target) => {
      await crowd(2_000, 200, async () => {
        const connection = await target.connect()
        connection.socket.end(requestText('GET /nothing'))
        hold((await connection.answer())?.status === 404, 'no answer')
        await connection.ended()
        connection.leave()
      })
      return '2000 connections'
    },
  },
  {
    name: 'clients that go in the middle',
    run: async (target) => {
      await crowd(3_000, 200, async (nth) => {
        const connection = await target.connect()
        const body = nth % 2 === 0 ? '' : '{"model":'
        await connection.say(requestText('POST /v1/videos', { ...JSON_TYPE, 'Content-Length': 5_000 }, body))
        connection.leave()
      })
      return '3000 connections'
    },
  },
  {
    name: 'answers that are not read',
    run: async (target) => {
      // 36 MB for each, several times what the system keeps for both sides.
      const download = requestText('GET /_backlot/fixtures/landscape.bmp', { Host: 'localhost' })
      await crowd(50, 50, async () => {
        const connection = await target.connect()
        connection.socket.pause()
        void connection.say(download.repeat(100))
        await new Promise((resolve) => setTimeout(resolve, impatient.unreadTimeoutMs * 3))
        connection.socket.resume()
        await connection.ended()
        hold(connection.socket.bytesRead < 36_000_000, 'all of it was sent, read or not')
        connection.leave()
      })
      return '50 connections of 100 requests'
    },
  },
  {
    name: 'requests in one go',
    run: async (target) => {
      await crowd(20, 20, async () => {
        const connection = await target.connect()
        void connection.say(requestText('GET /nothing').repeat(900))
        for (let nth = 0; nth < 900; nth += 1)
          hold((await connection.answer())?.status === 404, `answer ${nth} is missing`)
        connection.leave()
      })
      return '20 connections of 900 requests'
    },
  },
  {
    name: 'expensive requests in one go, on one connection',
    run: async (target) => {
      const connection = await target.connect()
      const path = `/nowhere/${'a%20'.repeat(700)}`
      void connection.say(requestText(`GET ${path}`, { Host: 'localhost' }).repeat(600))
      for (let nth = 1; nth <= 600; nth += 1) hold((await connection.answer())?.status === 404, 'no answer')
      connection.leave()
      return '600 requests of 3 KB'
    },
  },
  {
    name: 'expensive calls in one go, on one connection',
    run: async (target) => {
      const connection = await target.connect()
      const prompt = 'a lighthouse in the fog '.repeat(400)
      const content = [{ type: 'text', text: prompt }]
      const body = JSON.stringify({ model: 'videoa-2-0-260128', content })
      const create = requestText(`POST ${TASKS}`, { ...JSON_TYPE, 'Content-Length': body.length }, body)
      const list = requestText('GET /_backlot/tasks?limit=1000', { ...KEY, Host: 'localhost' })
      const calls = [create, list]
      void connection.say(calls.join('').repeat(300))
      for (let nth = 1; nth <= 600; nth += 1)
        hold((await connection.answer()) !== undefined, `answer ${nth} is missing`)
      connection.leave()
      return '300 creates of 10 KB, each with a list of all tasks'
    },
  },
  {
    name: 'requests in one go, of which none is answered soon',
    run: async (target) => {
      const wait = '/_backlot/wait?for=inbox&name=x&timeout=2s'
      await crowd(20, 20, async () => {
        const connection = await target.connect()
        void connection.say(requestText(`GET ${wait}`, { Host: 'localhost' }).repeat(5_000))
        hold((await connection.answer())?.status === 408, 'no answer')
        connection.leave()
      })
      return '20 connections of 5000 requests'
    },
  },
  {
    name: 'bodies of chunks of one byte',
    run: async (target) => {
      await crowd(10, 10, async () => {
        const connection = await target.connect()
        void connection.say(requestText('POST /v1/videos', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }))
        for (let nth = 0; nth < 20; nth += 1) await connection.say('1\r\n \r\n'.repeat(20_000))
        hold((await connection.answer())?.status === 400, 'no answer')
        connection.leave()
      })
      return '10 bodies of 400,000 chunks'
    },
  },
  {
    name: 'the largest bodies, all at once',
    run: async (target) => {
      const body = Buffer.from(`{"model":"${'x'.repeat(60 * 2 ** 20)}"}`)
      const statuses = new Map<number, number>()
      await crowd(10, 10, async () => {
        const { status } = await post(target, '/v1/videos', body)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      hold(
        [...statuses.keys()].every((status) => [400, 404, 408, 429].includes(status)),
        String([...statuses.keys()]),
      )
      return `10 bodies of 60 MiB: ${[...statuses].map(([status, count]) => `${status} ${count}x`).join(', ')}`
    },
  },
  {
    name: 'idle connections',
    run: async (target) => {
      const connections = []
      let trouble = ''
      while (connections.length < 10_000 && trouble === '') {
        const more = await Promise.allSettled(Array.from({ length: 250 }, () => target.connect()))
        for (const one of more)
          if (one.status === 'fulfilled') connections.push(one.value)
          else trouble = String(one.reason)
      }
      const reached = connections.length
      await Promise.all(connections.map((connection) => connection.ended()))
      for (const connection of connections) connection.leave()
      return `${reached} at once${trouble === '' ? '' : ` (then: ${trouble})`}, all ended by the emulator`
    },
  },
]
