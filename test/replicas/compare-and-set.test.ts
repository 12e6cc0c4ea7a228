import { afterAll, beforeAll, expect, test } from 'vitest'
import { appendScript } from '../../src/replicas/scripts.js'
import { openClient } from './redis-process.js'
import { describeWithRedis, startRedis } from './redis-server.js'

describeWithRedis('XADD with an explicit id is a compare-and-set', () => {
  let client: Awaited<ReturnType<typeof openClient>>
  beforeAll(async () => {
    const { url } = await startRedis()
    client = await openClient(url)
  })
  afterAll(() => client.close())

  /** Appends to a log of its own. */
  const logNamed = (log: string) => (id: string, value: string) =>
    client.sendCommand(['XADD', log, id, 'b', value])

  test('the first of two that append under one id wins, and the other one is refused', async () => {
    const add = logNamed('one')
    expect(await add('7-1', 'one')).toBe('7-1')
    await expect(add('7-1', 'other')).rejects.toThrow('equal or smaller')
    expect(await client.xRange('one', '-', '+')).toEqual([{ id: '7-1', message: { b: 'one' } }])
  })

  test('an earlier number and an earlier epoch are refused, also after the log was trimmed', async () => {
    const add = logNamed('trimmed')
    await add('7-5', 'five')
    await client.sendCommand(['XTRIM', 'trimmed', 'MAXLEN', '0'])
    await expect(add('7-4', 'late')).rejects.toThrow('equal or smaller')
    await expect(add('6-9', 'earlier epoch')).rejects.toThrow('equal or smaller')
    expect(await add('7-6', 'six')).toBe('7-6')
  })

  test('exactly one of fifty concurrent appends under one id is accepted', async () => {
    const add = logNamed('crowd')
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => add('8-1', String(index))),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('the append script refuses the same, and an entry of an epoch that has expired', async () => {
    await logNamed('log')('8-1', 'first')
    await client.set('epoch', '8')
    const keys = ['log', 'due', 'state', 'notes', 'epoch', 'account-id', 'accounts']
    const append = (id: string) =>
      client.eval(appendScript.text, {
        keys,
        arguments: [id, 'key', '5', '60000', '10', '', 'value', 'note'],
      })
    expect(await append('8-1')).toBe(0)
    expect(await client.exists('due')).toBe(0)
    expect(await append('8-2')).toBe(1)
    expect(await client.zScore('due', 'key')).toBe(5)
    await client.del('epoch')
    expect(await append('8-3')).toBe(0)
  })
})
