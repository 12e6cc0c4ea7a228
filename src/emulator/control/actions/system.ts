import cluster from 'node:cluster'
import { z } from 'zod'
import { type Gap, grades } from '../../core/contract.js'
import { isStoreError } from '../../core/errors.js'
import { clockModes, isoOf } from '../../core/schedule/time.js'
import type { DiagnosticItem } from '../../observability/diagnostics.js'
import { changeOfGap } from '../../profile/gaps.js'
import { secretSettings } from '../../settings.js'
import type { Seen } from '../../verified/facts.js'
import { version } from '../../version.js'
import { action, type ControlContext, flag, itemsWith, noInput } from '../action.js'
import { allRules } from '../rules.js'

const quotaStatus = () =>
  z.object({
    name: z.string(),
    of: z.string().describe('what is counted'),
    settings: z.array(z.string()),
    most: z.number(),
    per: z
      .enum(['account', 'emulator', 'call'])
      .describe('`account`: the size is that of the account with most'),
    size: z.number().nullable(),
    peak: z.number().nullable().describe('the largest size so far'),
    hits: z.number().describe('the number of times that the bound was met'),
    refused: z.number().describe('the number of refusals for it'),
    kind: z.enum(['forgets', 'waits', 'refuses']),
    atBound: z.string().describe('what happens then'),
  })

const fullHealthFields = () => ({
  clock: z
    .object({ mode: z.enum(clockModes), speed: z.number(), now: z.string() })
    .describe('not there while the shared store is away'),
  bounds: z.array(quotaStatus()),
  callbacks: z.record(z.string(), z.number()).describe('since the start, by outcome'),
  renders: z.record(z.string(), z.number()),
  troubles: z.array(z.looseObject({ need: z.string(), says: z.string(), hint: z.string() })),
  errors: z.number().describe('unexpected errors in the emulator itself'),
  memoryBytes: z.number(),
  logFile: z.string().nullable(),
  stateFile: z.string().nullable(),
})

export const systemActions = {
  'health.read': action({
    route: { method: 'GET', path: '/health' },
    summary:
      'Whether the emulator answers; with `full`, every limit with its usage, the clock, callbacks, renders and faults',
    // Monitors add parameters of their own, so that no cache answers.
    input: z.object({ full: flag('`true`, `1` or the bare word: all of the answer') }),
    output: () =>
      z.object({
        status: z.literal('ok'),
        version: z.string(),
        uptime_ms: z.number(),
        instance: z
          .string()
          .describe('a random id, which tells this emulator from another one on the same port'),
        pid: z.int().describe('the process that it runs in'),
        primaryPid: z
          .int()
          .optional()
          .describe('with `--processes`: the first process, which started this one'),
        ...z.object(fullHealthFields()).partial().shape,
      }),
    run: async (context, key, { full }) => ({
      status: 'ok' as const,
      version,
      uptime_ms: Math.max(0, context.systemNow() - context.startedAt),
      pid: process.pid,
      ...(cluster.isWorker ? { primaryPid: process.ppid } : {}),
      instance: context.instance,
      ...storeTroubles(context),
      ...(full ? await fullHealth(context, key) : {}),
    }),
  }),
  'doctor.read': action({
    route: { method: 'GET', path: '/doctor' },
    summary: 'Whether pictures and videos can be made where the emulator runs, by making one of each',
    input: noInput,
    output: () =>
      itemsWith({
        what: z.string(),
        isFine: z.boolean(),
        detail: z.string().describe('what was found, or why it does not work'),
        hint: z.string().optional().describe('what to do'),
      }),
    run: async ({ diagnose }) => {
      const items: DiagnosticItem[] = []
      for await (const item of diagnose()) items.push(item)
      return { items }
    },
  }),
  'metrics.read': action({
    route: { method: 'GET', path: '/metrics' },
    summary: 'The metrics of the emulator, in the text format of Prometheus',
    // Monitors add parameters of their own.
    input: z.object({}),
    textType: 'text/plain; version=0.0.4; charset=utf-8',
    output: () => z.string().describe('the text format of Prometheus, version 0.0.4'),
    run: ({ metrics }) => metrics.text(),
  }),
  'openapi.read': action({
    route: { method: 'GET', path: '/openapi.json' },
    summary: 'The OpenAPI 3.1 document of the service and of this API, or of one of them',
    input: z.strictObject({ part: z.enum(['service', 'control']).optional() }),
    output: () => z.looseObject({ openapi: z.string() }),
    run: async ({ openApiDocument }, _key, { part }) => openApiDocument(part),
  }),
  'gaps.list': action({
    route: { method: 'GET', path: '/gaps' },
    summary:
      'The points that the specification leaves open, each with the answer of the emulator, how sure it is, and what changes it',
    input: noInput,
    output: () =>
      itemsWith({
        id: z.string().describe('`X1`, `A3`'),
        place: z.string(),
        grade: z.enum(grades).describe('how sure the answer is'),
        answer: z.string(),
        settings: z
          .record(z.string(), z.unknown())
          .describe('the settings that change it with their values; null: not set'),
        profile: z.array(z.string()).describe('the keys of a profile that change it'),
        unchangeable: z.string().nullable().describe('why nothing changes it; null: something does'),
        verified: z
          .object({
            verdict: z
              .enum(['same', 'differs'])
              .describe('whether the real service answers as the emulator does'),
            on: z.string().describe('the day on which it was asked: `2026-11-28`'),
            asked: z.array(z.string()).describe('the calls, in words'),
          })
          .nullable()
          .describe(
            'what `backlot verify` has seen of it; null: nothing, or not with this profile and these settings',
          ),
      }),
    run: ({ settings, registry, verified }) => ({
      items: registry.gaps.map(({ settings: names = [], ...gap }) => ({
        ...gap,
        settings: Object.fromEntries(
          names.map((name) => [name, shownSetting(name, Reflect.get(settings, name))]),
        ),
        ...profileChangeOf(gap, names.length > 0),
        verified: seenOf(verified?.ofGap({ ...gap, settings: names })),
      })),
    }),
  }),
  'rules.list': action({
    route: { method: 'GET', path: '/rules' },
    summary: 'Every rule of every family',
    input: noInput,
    output: () =>
      itemsWith({
        id: z.string(),
        family: z.string(),
        sentence: z.string(),
        place: z.string().describe('where the documentation says it, as pages and headings of `docs`'),
      }),
    run: ({ registry }) => ({ items: allRules(registry) }),
  }),
  'fixtures.list': action({
    route: { method: 'GET', path: '/fixtures' },
    summary: 'The sample media, which `GET /_backlot/fixtures/{name}` serves under any host',
    input: noInput,
    output: () =>
      itemsWith({
        name: z.string(),
        kind: z.enum(['image', 'video', 'audio', 'unreadable']),
        facts: z.record(z.string(), z.unknown()),
        note: z.string(),
        breaks: z.string().optional().describe('the limit that it breaks; absent where it breaks none'),
      }),
    run: async ({ fixtures }) => ({
      items: (await fixtures.list()).map((fixture) => ({ ...fixture, facts: { ...fixture.facts } })),
    }),
  }),
}

// They are part of the answer without `full` too: `full` reads the store, which may be gone.
const storeTroubles = ({ health }: ControlContext) => {
  const issues = health.current().filter(({ need }) => need.startsWith('store'))
  return issues.length === 0 ? {} : { troubles: issues.map((issue) => ({ ...issue })) }
}

const fullHealth = async (
  { store, quotas, metrics, renderer, health, settings }: ControlContext,
  key: string,
) =>
  ({
    clock: await store
      .read(key, ({ clock: { mode, speed } }, now) => ({ mode, speed, now: isoOf(now) }))
      .catch((error) => {
        if (!isStoreError(error)) throw error
        return undefined
      }),
    bounds: quotas.read(),
    callbacks: metrics.callbacks(),
    renders: { ...renderer.stats() },
    troubles: health.current().map((issue) => ({ ...issue })),
    errors: metrics.errors(),
    memoryBytes: process.memoryUsage().rss,
    logFile: settings.logFile ?? null,
    stateFile: settings.state ?? null,
  }) satisfies Record<keyof ReturnType<typeof fullHealthFields>, unknown>

const profileChangeOf = (gap: Pick<Gap, 'id'>, hasSettings: boolean) => {
  const change = changeOfGap(gap)
  if (typeof change !== 'string') return { profile: [...change], unchangeable: null }
  return { profile: [], unchangeable: hasSettings ? null : change }
}

const seenOf = (seen: Seen | undefined) => (seen === undefined ? null : { ...seen, asked: [...seen.asked] })

/** Value of a setting; of a secret only whether it is set. */
const shownSetting = (name: string, value: unknown): unknown => {
  if (!secretSettings.includes(name)) return value ?? null
  const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined
  return isSet ? '(set)' : null
}
