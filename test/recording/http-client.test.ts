import http from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createHttpClient } from '../../src/recording/http-client.js'
import { serve } from './session.js'

const sent = { method: 'GET', target: '/', headers: {} }

const clientOf = async (listener: http.RequestListener) => {
  const client = createHttpClient(await serve(listener))
  onTestFinished(client.stop)
  return client
}

test('an answer that begins and does not end in time is cut', async () => {
  const request = vi.spyOn(http, 'request')
  onTestFinished(() => request.mockRestore())
  const client = await clientOf((_request, response) => void response.writeHead(200).write('{'))
  const ending = new AbortController()
  const answer = client.send(sent, undefined, ending.signal)
  request.mock.results[0]?.value.once('response', () => setImmediate(() => ending.abort()))
  expect(await answer).toMatchObject({ status: 200, broken: 'cut' })
})

test('an answer that does not begin in time is silent', async () => {
  const ending = new AbortController()
  const client = await clientOf(() => ending.abort())
  expect(await client.send(sent, undefined, ending.signal)).toMatchObject({ broken: 'silent' })
})
