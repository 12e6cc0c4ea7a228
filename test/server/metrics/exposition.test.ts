import { expect, test } from 'vitest'
import { exposition } from '../../../src/server/metrics/exposition.js'
import { readExposition } from './read-exposition.js'

test('what labels hold is escaped', () => {
  const text = exposition([
    {
      name: 'things',
      type: 'gauge',
      help: 'Things.',
      samples: [{ labels: { of: 'a "b" \\ c\nd' }, value: 1 }],
    },
  ])
  expect(text).toBe(
    '# HELP backlot_things Things.\n# TYPE backlot_things gauge\nbacklot_things{of="a \\"b\\" \\\\ c\\nd"} 1\n',
  )
  expect(readExposition(text)).toHaveLength(1)
})

test('a metric without a sample is left out', () =>
  expect(exposition([{ name: 'things', type: 'gauge', help: 'Things.', samples: [] }])).toBe(''))
