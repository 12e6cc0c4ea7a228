import { z } from 'zod'
import { verifiedFileSchema } from '../../src/emulator/verified/file.js'
import { coverageSchema } from '../../src/resilience/coverage/report.js'
import { acceptedFileSchema } from '../../src/resilience/sweep/accepted.js'
import { reportSchema } from '../../src/resilience/sweep/report.js'

const schemaText = (title: string, description: string, schema: z.ZodType): string =>
  `${JSON.stringify({ title, description, ...z.toJSONSchema(schema, { io: 'input', target: 'draft-7' }) }, null, 2)}\n`

/** JSON Schema of the reports of `backlot sweep`. */
export const sweepReportSchema = (): string =>
  schemaText('Backlot sweep report', 'What the tests said and what the emulator saw.', reportSchema)

/** JSON Schema of `backlot.sweep.json`. */
export const sweepAcceptedSchema = (): string =>
  schemaText('Backlot sweep, accepted verdicts', 'What a project accepts of a sweep.', acceptedFileSchema)

/** JSON Schema of the reports of `backlot coverage`. */
export const coverageReportSchema = (): string =>
  schemaText('Backlot coverage report', 'What tests cover of the service.', coverageSchema)

/** JSON Schema of `backlot.verified.json`. */
export const verifiedSchema = (): string =>
  schemaText('Backlot verified facts', 'What the real service was seen to answer.', verifiedFileSchema)
