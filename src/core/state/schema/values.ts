import { z } from 'zod'
import { scenarioSchema } from '../../scenario/scenario.js'
import { accountSchema } from './account.js'
import { assetSchema } from './asset.js'
import { callbackSchema, correspondenceSchema } from './callback.js'
import { taskSchema } from './task.js'

/** What the server is, whatever its accounts. */
const serverSchema = z.object({
  seed: z.int().min(0),
  /** What signs result URLs. */
  secret: z.string().min(1),
  /** The names of the scenarios that the settings gave to every account. */
  given: z.array(z.string()),
})

/** The schema of everything that a state file holds, by the kind of its record. */
export const values = {
  server: serverSchema,
  scenario: scenarioSchema,
  account: accountSchema,
  task: taskSchema,
  /** Which moment of a task's life comes next; no record where its life is over. */
  next: z.int().min(1),
  asset: assetSchema,
  correspondence: correspondenceSchema,
  callback: callbackSchema,
}

export type Kind = keyof typeof values
export type Value<K extends Kind> = z.output<(typeof values)[K]>

export const isKind = (kind: unknown): kind is Kind => typeof kind === 'string' && Object.hasOwn(values, kind)
