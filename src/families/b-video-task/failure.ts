import type { Phase } from '../../core/task/phase.js'
import { refusals as unifiedErrors } from '../c-video/errors.js'
import { type Failure, failureOf } from '../shared/failure.js'
import { errors, type TaskError } from './errors.js'

/** What B calls what a task of C can fail with (gap B4, C2). */
const equivalents: Readonly<Record<string, TaskError>> = {
  content_policy_violation: 'OutputVideoSensitiveContentDetected',
  internal_error: 'InternalServiceError',
}

// A task of C can have failed with a name that B has no word for: it keeps it, with the sentence of C.
const everyError = { ...unifiedErrors, ...errors }

/** Why a task of B or C did not succeed, in the words of B as far as it has them; null where nothing went wrong. */
export const errorOf = (phase: Phase): Failure | null => failureOf(inWordsOfB(phase), everyError)

const inWordsOfB = (phase: Phase): Phase =>
  phase.state === 'failed' ? { ...phase, error: equivalents[phase.error] ?? phase.error } : phase
