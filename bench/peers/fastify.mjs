import fastify from 'fastify'
import { calls, ready } from './ready.mjs'

/** Yardstick: Fastify that checks bodies and writes answers by JSON schemas, and answers the same each time. */

const schemaOf = (value) => {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0] ?? null) }
  if (typeof value !== 'object') return { type: typeof value }
  const properties = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, schemaOf(one)]))
  return { type: 'object', properties, required: Object.keys(value) }
}

const app = fastify()
for (const { method, path, body, answer } of calls)
  app.route({
    method,
    url: path,
    handler: () => answer,
    schema: { ...(body && { body: schemaOf(body) }), response: { 200: schemaOf(answer) } },
  })
ready(await app.listen({ port: 0, host: '127.0.0.1' }))
