import type { z } from 'zod'
import { EmulatorError } from '../../core/emulator-error.js'
import type { DiagnosticItem } from '../../server/doctor/findings.js'
import { doctorSchema, healthSchema } from './health.js'
import { diagnoseHealth } from './judge.js'

/**
 * Looks at an emulator that runs: how it stands, then whether it can make pictures and videos.
 * @throws EmulatorError `unreachable`, `token-needed` or `not-an-emulator`
 */
export async function* diagnoseRemote(
  url: string,
  token: string | undefined,
): AsyncGenerator<DiagnosticItem> {
  yield* diagnoseHealth(await asked(`${url}/_backlot/health?full`, token, healthSchema))
  const { items } = await asked(`${url}/_backlot/doctor`, token, doctorSchema)
  for (const { hint, ...item } of items) yield { ...item, ...(hint === undefined ? {} : { hint }) }
}

const asked = async <S extends z.ZodType>(
  url: string,
  token: string | undefined,
  schema: S,
): Promise<z.output<S>> => {
  const headers: Record<string, string> = token === undefined ? {} : { 'X-Backlot-Token': token }
  const response = await fetch(url, { headers }).catch((cause) => {
    throw unreachable(url, cause)
  })
  const body: unknown = await response.json().catch(() => undefined)
  const read = schema.safeParse(body)
  if (response.ok && read.success) return read.data
  throw refused(url, response.status, body)
}

const unreachable = (url: string, cause: Error): EmulatorError =>
  new EmulatorError(`No emulator answers at ${new URL(url).origin}.`, {
    code: 'unreachable',
    hint: 'Start one with `backlot start`, or name another address with --url.',
    cause,
  })

const refused = (url: string, status: number, body: unknown): EmulatorError => {
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; hint?: string } }
  if (typeof error?.code === 'string' && typeof error.message === 'string')
    return new EmulatorError(error.message, { code: error.code, hint: error.hint ?? '' })
  return new EmulatorError(
    `What answers at ${new URL(url).origin} is no emulator of this version: it sent ${status}.`,
    {
      code: 'not-an-emulator',
    },
  )
}
