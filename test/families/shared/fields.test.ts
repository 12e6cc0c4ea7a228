import { expect, test } from 'vitest'
import { wholeNumber } from '../../../src/families/shared/fields.js'

const schema = wholeNumber(1, 6)

test.each([1, 6, 3.0])('%d is within 1 to 6', (value) => expect(schema.safeParse(value).success).toBe(true))

test.each([0, 7, 1.5, '3', null, true, Number.NaN, Number.POSITIVE_INFINITY, 1e300, [], {}])(
  '%j is not, and the refusal names both bounds',
  (value) => expect(schema.safeParse(value).error?.issues[0]?.message).toBe('an integer from 1 to 6'),
)
