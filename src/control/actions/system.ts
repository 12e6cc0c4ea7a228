import { z } from 'zod'
import { readClock } from '../../core/schedule/clock.js'
import { isoOf } from '../../core/schedule/iso.js'
import { secretSettings } from '../../core/settings.js'
import type { DiagnosticItem } from '../../observability/diagnostics.js'
import { EXPOSITION_TYPE } from '../../observability/prometheus.js'
import { parts } from '../../openapi/objects.js'
import { version } from '../../version.js'
import { action, type ControlContext } from '../action.js'
import { allRules } from '../rules.js'

const nothing = z.strictObject({})

export const readHealth = action({
  route: { method: 'GET', path: '/health' },
  // Monitors add parameters of their own, so that nothing in between answers for it.
  input: z.object({ full: z.string().optional() }),
  run: async (emulator, key, { full }) => ({
    status: 'ok',
    version,
    uptime_ms: Math.max(0, emulator.wall() - emulator.startedAt),
    pid: process.pid,
    instance: emulator.instance,
    ...(full === undefined ? {} : await fullHealth(emulator, key)),
  }),
})

/** Every bound with how things stand with it, and what else one looks at where something is wrong. */
const fullHealth = async (
  { store, wall, bounds, metrics, renderer, health, settings }: ControlContext,
  key: string,
) => ({
  clock: await store.run(key, ({ clock }) => ({
    mode: clock.mode,
    speed: clock.speed,
    now: isoOf(readClock(clock, wall())),
  })),
  bounds: bounds.read(),
  callbacks: { passed: 0, delivered: 0, retrying: 0, failed: 0, skipped: 0, ...metrics.callbacks() },
  renders: renderer.stats(),
  troubles: health.current(),
  errors: metrics.errors(),
  memoryBytes: process.memoryUsage().rss,
  logFile: settings.logFile ?? null,
  stateFile: settings.state ?? null,
})

/** Whether pictures and videos can be made where the emulator runs, by making one of each. */
export const readDoctor = action({
  route: { method: 'GET', path: '/doctor' },
  input: nothing,
  run: async ({ settings }) => {
    // Loads everything that drawing needs.
    const { diagnose } = await import('../../observability/diagnostics.js')
    const items: DiagnosticItem[] = []
    for await (const finding of diagnose(settings)) items.push(finding)
    return { items }
  },
})

/** The table of what the specification leaves open, with how sure each answer is and how the setting stands now. */
export const listGaps = action({
  route: { method: 'GET', path: '/gaps' },
  input: nothing,
  run: async ({ settings }) => {
    // Loaded for those who ask: it is long, and all prose.
    const { gaps } = await import('../../families/index.js')
    const items = gaps.map(({ settings: names = [], ...gap }) => ({
      ...gap,
      settings: Object.fromEntries(
        names.map((name) => [name, shownSetting(name, (settings as Record<string, unknown>)[name])]),
      ),
    }))
    return { items }
  },
})

/** A secret is not shown, only whether it is set. */
const shownSetting = (name: string, value: unknown): unknown => {
  if (!secretSettings.includes(name)) return value ?? null
  const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined
  return isSet ? '(set)' : null
}

export const listRules = action({
  route: { method: 'GET', path: '/rules' },
  input: nothing,
  run: async ({ operations, families }) => {
    // Loaded for those who ask, as the table of gaps.
    const { toJsonSchema } = await import('../../core/json-schema.js')
    return { items: allRules(operations, families, (schema) => toJsonSchema(schema, 'input')) }
  },
})

export const listFixtures = action({
  route: { method: 'GET', path: '/fixtures' },
  input: nothing,
  run: async ({ fixtures }) => ({ items: await fixtures.list() }),
})

/** What the emulator counts, in the text format of Prometheus. */
export const readMetrics = action({
  route: { method: 'GET', path: '/metrics' },
  // Monitors add parameters of their own, so that nothing in between answers for it.
  input: z.object({}),
  textType: EXPOSITION_TYPE,
  run: ({ metrics }) => metrics.text(),
})

/** The OpenAPI document of the service and of the control API, or of one of them. */
export const readOpenApi = action({
  route: { method: 'GET', path: '/openapi.json' },
  input: z.strictObject({ part: z.enum(parts).optional() }),
  run: async ({ settings }, _key, { part }) => {
    const { cachedOpenApiDocument } = await import('../../openapi/document.js')
    return cachedOpenApiDocument({ part, server: settings.publicUrl })
  },
})
