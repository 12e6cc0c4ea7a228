import { z } from 'zod'
import { shownItem } from '../../callbacks/inbox.js'
import { action } from '../action.js'

/** What a box of the built-in receiver has got, first come first (gap Z11). */
export const readInbox = action({
  route: { method: 'GET', path: '/inbox/:name' },
  input: z.strictObject({ name: z.string().min(1) }),
  run: async ({ inbox }, key, { name }) => {
    const { items, evicted } = inbox.list(key, name)
    return { name, items: items.map(shownItem), evicted }
  },
})
