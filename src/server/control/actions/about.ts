import { z } from 'zod'
import { gaps } from '../../../core/gaps/index.js'
import { version } from '../../version.js'
import { action } from '../action.js'
import { rulesOf } from '../rules-list.js'

const nothing = z.object({})

export const readHealth = action({
  route: { method: 'GET', path: '/health' },
  input: nothing,
  run: async ({ wall, startedAt }) => ({ status: 'ok', version, uptime_ms: Math.max(0, wall() - startedAt) }),
})

/** The table of what the specification leaves open, with how sure each answer is and how the setting stands now. */
export const listGaps = action({
  route: { method: 'GET', path: '/gaps' },
  input: nothing,
  run: async ({ settings }) => ({
    items: gaps.map(({ settings: names = [], ...gap }) => ({
      ...gap,
      settings: Object.fromEntries(
        names.map((name) => [name, (settings as Record<string, unknown>)[name] ?? null]),
      ),
    })),
  }),
})

export const listRules = action({
  route: { method: 'GET', path: '/rules' },
  input: nothing,
  run: async ({ families }) => ({ items: families.flatMap(rulesOf) }),
})

export const listFixtures = action({
  route: { method: 'GET', path: '/fixtures' },
  input: nothing,
  run: async ({ fixtures }) => ({ items: await fixtures.list() }),
})
