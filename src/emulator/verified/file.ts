import { z } from 'zod'
import { EmulatorError, whyUnreadable } from '../core/errors.js'
import { isRecord, shapeRefusals } from '../core/request.js'
import { readTextFile } from '../scenarios/located.js'
import { NO_VERIFIED_FILE, VERIFIED_FILE } from '../settings.js'
import { version } from '../version.js'

const FORMAT_VERSION = 1

const text = z.string().min(1)

const factSchema = z.strictObject({
  answer: text.describe(
    'what was answered: an operation, and behind an @ the error or the state, as in b-video-task.read@succeeded',
  ),
  rule: text.optional().describe('the rule by which the emulator refuses; absent where it does not'),
  asked: text.describe('the call, in words'),
  gaps: z.array(text).describe('ids of the gaps on which the answer of the emulator relies'),
  verdict: z.enum(['same', 'differs']).describe('whether the service has answered as the emulator does'),
  at: z.iso.datetime().describe('when the service was asked'),
  host: text.describe('hash of the host of the service'),
  profile: text
    .nullable()
    .describe('hash of the profile with which the emulator was compared; null: without one'),
})

/** Verified fact: an answer of the emulator, and whether the real service has given the same one. */
export type VerifiedFact = z.output<typeof factSchema>

/** Zod schema of `backlot.verified.json`. */
export const verifiedFileSchema = z.strictObject({
  $schema: z.string().optional().describe('for editors; ignored'),
  format: z.literal('backlot-verified').describe('what the file is'),
  formatVersion: z.literal(FORMAT_VERSION).describe('version of this format'),
  backlot: text.describe('version that wrote it'),
  facts: z.array(factSchema),
})

/** The text of a file of verified facts. */
export const verifiedText = (facts: readonly VerifiedFact[]): string =>
  `${JSON.stringify({ format: 'backlot-verified', formatVersion: FORMAT_VERSION, backlot: version, facts }, null, 2)}\n`

/**
 * Reads the verified facts that a setting names.
 * @param setting a file, `none`, or undefined for the file in the working folder, where there is one
 * @returns undefined where there is no file to read
 * @throws EmulatorError `no-such-file`, or `bad-verified` for a file that is damaged or of a newer version
 */
export const readVerified = async (
  setting: string | undefined,
): Promise<readonly VerifiedFact[] | undefined> => {
  if (setting === NO_VERIFIED_FILE) return undefined
  const file = setting ?? VERIFIED_FILE
  try {
    return parseVerified(await readTextFile(file), file)
  } catch (error) {
    if (error instanceof EmulatorError) throw error
    if (setting === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new EmulatorError(whyUnreadable(file, error), {
      code: 'no-such-file',
      hint: '`backlot verify` writes it; the setting verified names another one, or none.',
      cause: error,
    })
  }
}

const parseVerified = (written: string, file: string): readonly VerifiedFact[] => {
  let document: unknown
  try {
    document = JSON.parse(written)
  } catch (error) {
    throw unusable(file, `it is no JSON (${(error as Error).message})`)
  }
  const { formatVersion, backlot } = isRecord(document) ? document : {}
  if (typeof formatVersion === 'number' && formatVersion > FORMAT_VERSION)
    throw unusable(file, `Backlot ${backlot} wrote it, which is newer than this one (${version})`)
  const read = verifiedFileSchema.safeParse(document)
  if (read.success) return read.data.facts
  const [problem] = shapeRefusals(read.error.issues, document)
  throw unusable(file, String(problem?.message).replace('The request body', 'it'))
}

const unusable = (file: string, why: string): EmulatorError =>
  new EmulatorError(`The verified facts in ${file} cannot be used: ${why}.`, {
    code: 'bad-verified',
    hint: 'Remove the file and run `backlot verify` again, or leave it out with the setting verified: none.',
  })
