import { createServer } from 'node:http'

// A callback receiver in a process of its own: passes the handshake, and checks that every task's statuses come once and
// in order. GET answers with what it has seen.

const LIFE = ['queued', 'running', 'succeeded']
const seenOf = new Map()
let deliveries = 0
let wrong = 0

const receive = (body) => {
  const message = JSON.parse(body)
  if (message.challenge !== undefined) return body
  const { id, status } = message.task
  const seen = seenOf.get(id) ?? 0
  if (LIFE[seen] !== status) wrong += 1
  seenOf.set(id, seen + 1)
  deliveries += 1
  return '{}'
}

const report = () => {
  const whole = [...seenOf.values()].filter((seen) => seen === LIFE.length).length
  return JSON.stringify({ deliveries, wrong, tasks: seenOf.size, whole })
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => response.end(request.method === 'GET' ? report() : receive(Buffer.concat(chunks))))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  console.log(JSON.stringify({ event: 'ready', url: `http://127.0.0.1:${port}` }))
})
process.on('SIGTERM', () => process.exit(0))
