// biome-ignore-all lint/suspicious/noThenProperty: the word of the file format; it is never a function
import { expect, test } from 'vitest'
import { openInProcess } from '../../emulator.js'

const { agent } = openInProcess()
let accounts = 0
const control = () => {
  accounts += 1
  const key = `Bearer account-${accounts}`
  return {
    read: () => agent.get('/_backlot/scenario').set('Authorization', key),
    put: (body: object) => agent.put('/_backlot/scenario').set('Authorization', key).send(body),
    stop: (query = '') => agent.delete(`/_backlot/scenario${query}`).set('Authorization', key),
  }
}

test('PUT plays, GET shows, DELETE stops', async () => {
  const { read, put, stop } = control()
  expect((await read()).body).toEqual({ items: [] })
  const { status, body } = await put({ name: 'callback-twice' })
  expect([status, body.items[0].name]).toEqual([200, 'callback-twice'])
  expect((await read()).body.items).toEqual([
    {
      name: 'callback-twice',
      says: 'Every callback is delivered twice, with the same delivery id.',
      since: '2026-01-01T00:00:00.000Z',
      steps: [{ step: 1, says: null, seen: 0, acted: 0, times: null, required: false, lastMiss: null }],
    },
  ])
  expect((await stop()).body).toEqual({ items: [] })
})

test('DELETE stops one by its name', async () => {
  const { put, stop } = control()
  await put({ name: 'callback-twice' })
  await put({ name: 'callback-late' })
  expect((await stop('?name=callback-late')).body.items).toMatchObject([{ name: 'callback-twice' }])
  expect((await stop('?name=callback-late')).status).toBe(404)
})

test.each<[string, object, number, string, string]>([
  [
    'a name that does not exist',
    { name: 'callback-twist' },
    404,
    'unknown-scenario',
    'Did you mean callback-twice?',
  ],
  [
    'a file, which the emulator does not read for clients',
    { name: './mine.yaml' },
    404,
    'unknown-scenario',
    '',
  ],
  ['a document without a name', { steps: [] }, 400, 'bad-input', ''],
  [
    'a document that is wrong',
    { name: 'mine', says: 'x', stepz: [] },
    400,
    'bad-scenario',
    'docs/scenarios.md',
  ],
])('%s is refused', async (_, body, status, code, hint) => {
  const answer = await control().put(body)
  expect([answer.status, answer.body.error.code]).toEqual([status, code])
  expect(answer.body.error.hint).toContain(hint)
})

test('a document that is wrong is told of everything that is', async () => {
  const { body } = await control().put({
    name: 'mine',
    says: 'x',
    steps: [{ when: { operation: 'nothing' }, then: { answer: { status: 500 } } }, { then: { answr: {} } }],
  })
  expect(body.error.message).toContain('steps[0].when.operation: there is no operation "nothing"')
  expect(body.error.message).toContain(
    'steps[1].then.answr: there is no key "answr" here: did you mean answer?',
  )
})
