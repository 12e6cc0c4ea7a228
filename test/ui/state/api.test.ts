import { expect, test } from 'vitest'
import { createApi } from '../../../src/ui/state/api.js'

test('a list in a query is sent as JSON, as other clients send it', async () => {
  const sent: unknown[] = []
  const fetch = async (url: unknown) => {
    sent.push(url)
    return Response.json({ requests: [] })
  }
  const api = createApi({ origin: 'http://127.0.0.1:4650', fetch: fetch as never, token: () => '' })
  await api.invoke('requests.list', { path: ['a', { b: 1 }] as never }, undefined)
  expect(sent).toEqual([
    `http://127.0.0.1:4650/_backlot/requests?path=${encodeURIComponent('["a",{"b":1}]')}`,
  ])
})
