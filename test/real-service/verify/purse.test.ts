import { expect, test } from 'vitest'
import { Purse } from '../../../src/real-service/verify/purse.js'

test('a budget allows what it covers, and no more', () => {
  const purse = new Purse({ budget: 0.3 }, 10)
  expect(purse.refusal(0.1)).toBeUndefined()
  purse.pay(0.1)
  purse.pay(0.1)
  // 0.1 + 0.1 + 0.1 is 0.30000000000000004.
  expect(purse.refusal(0.1)).toBeUndefined()
  purse.pay(0.1)
  expect(purse.refusal(0.1)).toBe('it may cost 0.1 beside 0.3, and --budget is 0.3')
  expect(purse.refusal(0)).toBeUndefined()
})

test('the number of creates is limited, as given or by the plan and three more', () => {
  const one = new Purse({ mostCreates: 1 }, 10)
  expect(one.refusal(0)).toBeUndefined()
  one.pay(0)
  expect(one.refusal(0)).toBe('it would be create number 2, and --most-creates is 1')
  const planned = new Purse({}, 2)
  for (let count = 0; count < 5; count += 1) {
    expect(planned.refusal(1)).toBeUndefined()
    planned.pay(1)
  }
  expect(planned.refusal(1)).toContain('--most-creates is 5')
})

test('a create that was refused costs nothing', () => {
  const purse = new Purse({ budget: 1 }, 1)
  purse.pay(1)
  expect(purse.refusal(1)).toBeDefined()
  purse.refund(1)
  expect(purse.refusal(1)).toBeUndefined()
  expect(purse.creates).toBe(1)
})
