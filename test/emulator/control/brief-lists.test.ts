import { expect, test } from 'vitest'
import { bodies, paths, startOnPort } from '../../emulator.js'

const { as, url } = await startOnPort()

test('brief lists leave out what only the detail of an item shows, which reading the item has', async () => {
  const { ask } = as('brief')
  const callback_url = `${url}/_backlot/inbox/hooks`
  const { id } = (await ask('POST', paths.tasks, bodies.task({ callback_url }))).body
  await ask('POST', '/_backlot/clock/advance', { to: 'idle' })
  const list = async (path: string) => (await ask('GET', path)).body.items

  const [task] = await list('/_backlot/tasks?brief')
  const [whole] = await list('/_backlot/tasks')
  expect(task).toEqual({ ...whole, order: { prompt: 'a lighthouse' } })
  expect(Object.keys(whole.order).length).toBeGreaterThan(3)
  expect((await ask('GET', `/_backlot/tasks/${id}`)).body).toEqual(whole)

  const [request] = await list('/_backlot/requests?brief=1')
  const [wholeRequest] = await list('/_backlot/requests')
  expect(request).toEqual({ ...wholeRequest, headers: {} })
  expect(wholeRequest.headers).not.toEqual({})

  const [callback] = await list('/_backlot/callbacks?brief=true')
  const [wholeCallback] = await list('/_backlot/callbacks?brief=false')
  expect(callback).toMatchObject({ id: wholeCallback.id, body: null, state: 'delivered' })
  expect(wholeCallback.body).toMatchObject({ id })
  expect(callback.attempts[0]).not.toHaveProperty('answer')
  expect((await ask('GET', `/_backlot/callbacks/${callback.id}`)).body).toEqual(wholeCallback)
})

test('a brief list refuses a word that is neither true nor false', async () =>
  expect((await as('brief').ask('GET', '/_backlot/tasks?brief=yes')).status).toBe(400))
