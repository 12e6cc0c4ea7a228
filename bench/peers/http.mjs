import { createServer } from 'node:http'
import { calls, ready } from './ready.mjs'

/** Yardstick: node:http alone. It reads the JSON of a body and writes the JSON of an answer. */

const answers = new Map(calls.map(({ method, path, answer }) => [`${method} ${path}`, answer]))

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
    const body = JSON.stringify(answers.get(`${request.method} ${request.url.split('?')[0]}`))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => ready(`http://127.0.0.1:${server.address().port}`))
