import { z } from 'zod'
import { EXPOSITION_TYPE } from '../../metrics/exposition.js'
import { action } from '../action.js'

/** What the emulator counts, in the text format of Prometheus. */
export const readMetrics = action({
  route: { method: 'GET', path: '/metrics' },
  // Monitors add parameters of their own, so that nothing in between answers for it.
  input: z.object({}),
  textType: EXPOSITION_TYPE,
  run: ({ metrics }) => metrics.text(),
})
