// A client of family B for sweeps in tests: `node client.mjs WHAT [FILE]`. It makes a task and asks until it is over.
import { spawn } from 'node:child_process'
import { once as eventOf } from 'node:events'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [what, file] = process.argv.slice(2)
// A process that answers as long as it lives, and writes down where.
const SERVER = `const server = require('http').createServer((_, response) => response.end())
  server.listen(0, () => require('fs').writeFileSync(process.argv[1], String(server.address().port)))`
const tasks = `${process.env.BACKLOT_URL}/provB/api/v3/contents/generations/tasks`
const headers = { authorization: 'Bearer client', 'content-type': 'application/json' }
const order = { model: 'videoa-2-0-260128', content: [{ type: 'text', text: 'a boat' }], duration: 4 }

const ask = async (path = '', init = {}) => {
  const answer = await fetch(`${tasks}${path}`, { headers, ...init })
  const body = await answer.json()
  if (!answer.ok) throw new Error(`${answer.status}`)
  return body
}
const create = (more = {}) => {
  const body = JSON.stringify({ ...order, ...more })
  return ask('', { method: 'POST', headers: { ...headers, 'Idempotency-Key': 'k' }, body })
}
const poll = async (id) => {
  for (;;) {
    const { status } = await ask(`/${id}`)
    if (status === 'succeeded') return
    if (status !== 'queued' && status !== 'running') throw new Error(status)
  }
}
const once = async () => poll((await create()).id)
const again = (act) => act().catch(act)

const ways = {
  naive: once,
  'poll-again': async () => {
    const { id } = await create()
    await again(() => poll(id))
  },
  'all-again': () => again(once),
  // Family A: two pictures of one order, both downloaded.
  pictures: async () => {
    const url = `${process.env.BACKLOT_URL}/provA/api/v1/services/aigc/multimodal-generation/generation`
    const input = { messages: [{ role: 'user', content: [{ text: 'a boat' }] }] }
    const parameters = { size: '512*512', n: 2 }
    const body = JSON.stringify({ model: 'alpha-image-3.0-pro', input, parameters })
    const { output } = await (await fetch(url, { method: 'POST', headers, body })).json()
    for (const { image } of output.choices.flatMap(({ message }) => message.content))
      await (await fetch(image)).arrayBuffer()
  },
  // As test runners do in GitHub jobs.
  summary: () => {
    const { GITHUB_STEP_SUMMARY: summary } = process.env
    if (summary !== undefined) appendFileSync(summary, 'A run.\n')
    return again(once)
  },
  'called-back': async () => {
    const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
    await eventOf(server, 'listening')
    const { id } = await create({ callback_url: `http://127.0.0.1:${server.address().port}/hook` })
    await poll(id)
    process.exit()
  },
  silent: () => once().catch(() => {}),
  hangs: () =>
    once().catch(() => {
      spawn(process.execPath, ['-e', SERVER, file], { stdio: 'ignore' })
      return new Promise(() => setInterval(() => {}, 1_000))
    }),
  // As where it reads memory that is not its own.
  crashes: () =>
    once().catch(() =>
      process.platform === 'win32' ? process.exit(0xc0000005) : process.kill(process.pid, 'SIGSEGV'),
    ),
  // Hides the first failure.
  'now-and-then': () =>
    once().catch((error) => {
      appendFileSync(file, '.')
      if (!existsSync(`${file}.second`)) return writeFileSync(`${file}.second`, '')
      throw error
    }),
  // Says the first failure, and does not end after the second.
  'hangs-later': () =>
    once().catch((error) => {
      const isFirst = !existsSync(file)
      writeFileSync(isFirst ? file : `${file}.second`, '')
      if (isFirst) throw error
      return new Promise(() => setInterval(() => {}, 1_000))
    }),
  'once-only': async () => {
    if (existsSync(file)) return
    writeFileSync(file, '')
    await once()
  },
  worker: () => {
    appendFileSync(file, `${process.env.BACKLOT_SWEEP_WORKER}\n`)
    return once()
  },
  // Polls without a pause, and not for long.
  impatient: async () => {
    const { id } = await create()
    for (let polls = 0; polls < 3; polls += 1) await ask(`/${id}`)
    throw new Error('too long')
  },
  // Does not wait for its task.
  leaves: async () => {
    const { id } = await create()
    for (let polls = 0; polls < 2; polls += 1) await ask(`/${id}`)
  },
  'calls-nothing': () => {},
  fails: async () => {
    throw new Error('on purpose')
  },
  'starts-own': async () => {
    const { startEmulator } = await import('backlot')
    const emulator = await startEmulator()
    try {
      if (file === 'scenario') await emulator.account('client').scenario.play('result-cut')
      const url = `${emulator.url}/provB/api/v3/contents/generations/tasks`
      const made = await fetch(url, { method: 'POST', headers, body: JSON.stringify(order) })
      if (!made.ok) throw new Error(`${made.status}`)
    } finally {
      await emulator.stop()
    }
  },
}

await ways[what]()
