import { list, optional, validateNamed } from '../../emulator/surface/client.js'
import { EmulatorError } from '../../emulator/surface/records.js'
import { type FindingKind, findingKinds } from '../../emulator/surface/verdict.js'
import type { Finding } from '../../generated/control-api.js'
import { findingsBesides, findingText } from '../loose-ends.js'
import { validateOptions, validateWords } from '../options.js'
import { type Matching, type Outcome, subjectText } from './outcome.js'

/** Options of `toHaveBehaved` and `assertBehaved`. */
export interface BehavedOptions {
  /** Findings that are allowed; default: none. @throws EmulatorError `bad-option` for one that there is not */
  readonly allow?: readonly FindingKind[] | undefined
}

/** Matcher of an emulator or an account: its client did nothing that a robust client does not do (docs/verdict.md). */
export async function toHaveBehaved(
  this: Matching,
  emulator: unknown,
  options: BehavedOptions = {},
): Promise<Outcome> {
  const findings = await findingsOf(emulator, 'toHaveBehaved', options)
  return {
    pass: findings.length === 0,
    message: () =>
      findings.length === 0
        ? 'Expected the client not to have behaved, and there is no finding.'
        : `Expected the client to have behaved.\n\n${findings.map(findingText).join('\n')}`,
  }
}

/**
 * `toHaveBehaved` as a function, for frameworks without `expect`.
 * @throws EmulatorError `misbehaved`, with the findings
 */
export const assertBehaved = async (
  emulator: { verdict(): Promise<readonly Finding[]> },
  options: BehavedOptions = {},
): Promise<void> => {
  const findings = await findingsOf(emulator, 'assertBehaved', options)
  if (findings.length > 0)
    throw new EmulatorError(`The client did not behave.\n\n${findings.map(findingText).join('\n')}`, {
      code: 'misbehaved',
    })
}

const findingsOf = async (
  value: unknown,
  callee: string,
  options: BehavedOptions,
): Promise<readonly Finding[]> => {
  validateOptions(callee, options, ['allow'])
  validateNamed(callee, options, { allow: optional(list) })
  validateWords('finding', options.allow ?? [], findingKinds)
  const { verdict } = (value ?? {}) as { readonly verdict?: () => Promise<readonly Finding[]> }
  if (typeof verdict !== 'function')
    throw new EmulatorError(`${callee} is said of an emulator or an account, found ${subjectText(value)}.`, {
      code: 'wrong-subject',
      hint: 'Give it the emulator of the helper, or an account.',
    })
  return findingsBesides(await verdict(), new Set(options.allow))
}
