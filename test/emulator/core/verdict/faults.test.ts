import { describe, expect, test } from 'vitest'
import { isEarly, type ObservedCall, repetitionsIn } from '../../../../src/emulator/core/verdict/faults.js'

interface Named extends ObservedCall {
  readonly name: string
}

/** A call that is refused for two seconds; `begun` and `wall` in milliseconds. */
const refused = (name: string, begun: number | undefined, wall: number, request = 'POST /tasks'): Named => ({
  name,
  account: 'a',
  at: 0,
  begun,
  wall,
  method: 'POST',
  request,
  status: 429,
  retryAfterMs: 2_000,
})

const pairs = (...calls: readonly Named[]): string[] =>
  repetitionsIn(calls).map(([one, next]) => `${one.name} ${next.name}`)

describe('repetitions', () => {
  test('are calls with the same request, one after the other', () => {
    const other = refused('other', 6, 7, 'POST /others')
    expect(pairs(refused('1', 0, 5), other, refused('2', 5, 9), refused('3', 10, 11))).toEqual(['1 2', '2 3'])
  })

  test('are not calls of which the second had arrived before the first was answered', () => {
    expect(pairs(refused('1', 0, 5), refused('2', 4, 6))).toEqual([])
  })

  test('of calls whose arrival is unknown go by their answers', () => {
    expect(pairs(refused('1', undefined, 5), refused('2', undefined, 6))).toEqual(['1 2'])
  })

  test('of clients that send the same at the same time are each the repetition of one call', () => {
    const calls = [
      refused('1', 0, 5),
      refused('2', 1, 6),
      refused('3', 2_005, 2_006),
      refused('4', 2_007, 2_008),
    ]
    expect(pairs(...calls)).toEqual(['1 3', '2 4'])
    expect(repetitionsIn(calls).filter(([call, next]) => isEarly(call, next))).toEqual([])
    const hurried = [...calls.slice(0, 2), refused('3', 7, 8), refused('4', 2_007, 2_008)]
    expect(repetitionsIn(hurried).filter(([call, next]) => isEarly(call, next))).toHaveLength(1)
  })
})
