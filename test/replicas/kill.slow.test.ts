import { expect, test } from 'vitest'
import { replicas } from '../../faults/replicas.js'
import { describeWithRedis } from './redis-server.js'

describeWithRedis('replicas that are killed', () => {
  test('nothing that was answered is lost, and every callback arrives', async () => {
    const { failures } = await replicas({ seed: 18, times: 3 })
    expect(failures).toEqual([])
  }, 300_000)
})
