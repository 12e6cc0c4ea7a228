import type { StatedRule } from '../rule.js'

/** What a URL of a result is refused for. */
export const notExpired: StatedRule = {
  id: 'not-expired',
  says: 'The URL has not expired by the clock of its account.',
  place: 'gap X9',
}

export const signature: StatedRule = {
  id: 'signature',
  says: 'The URL is as it was given out: path, Expires and Signature.',
  place: 'gap X9',
}

export const taskExists: StatedRule = {
  id: 'task-exists',
  says: 'The task of the result is there.',
  place: 'gap N3',
}

/** What a file is not sent for though it is there. */
export const range: StatedRule = {
  id: 'range',
  says: 'A Range is a part of the file.',
  place: 'gap X9',
}

export const precondition: StatedRule = {
  id: 'precondition',
  says: 'The file is the one that If-Match names.',
  place: 'gap X9',
}

/** For whatever is answered with a file. */
export const fileRules: readonly StatedRule[] = [range, precondition]

/** For downloads: those of the URL first, as they are looked at. */
export const resultRules: readonly StatedRule[] = [signature, notExpired, taskExists, ...fileRules]
