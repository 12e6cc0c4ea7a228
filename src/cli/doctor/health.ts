import { z } from 'zod'

const bound = z.object({
  name: z.string(),
  of: z.string(),
  settings: z.array(z.string()),
  most: z.number(),
  per: z.string(),
  size: z.number().nullable(),
  hits: z.number(),
  refused: z.number(),
  kind: z.string(),
  atBound: z.string(),
})
export type BoundSeen = z.output<typeof bound>

/** What is read of `GET /_backlot/health?full`. */
export const healthSchema = z.object({
  version: z.string(),
  uptime_ms: z.number(),
  clock: z.object({ mode: z.string(), speed: z.number(), now: z.string() }),
  bounds: z.array(bound),
  callbacks: z.record(z.string(), z.number()),
  troubles: z.array(z.object({ need: z.string(), says: z.string(), hint: z.string() })),
  errors: z.number(),
  memoryBytes: z.number(),
  logFile: z.string().nullable(),
  stateFile: z.string().nullable(),
})
export type Health = z.output<typeof healthSchema>

/** What is read of `GET /_backlot/doctor`. */
export const doctorSchema = z.object({
  items: z.array(
    z.object({ what: z.string(), isFine: z.boolean(), detail: z.string(), hint: z.string().optional() }),
  ),
})
