import type { Operation } from '../../core/operation.js'
import type { StatedRule } from '../../core/rule.js'

/** What calls of an operation are refused for before anything is decided: for their key, and for a body that cannot be read. */
export const precheckRules = (operation: Operation): readonly StatedRule[] => [
  ...(operation.needsKey ? [credentials] : []),
  ...(operation.route.method === 'POST'
    ? [
        ...(operation.form === undefined ? [contentType] : []),
        bodyIsReadable(operation),
        bodySize(operation),
        roomForBody,
        bodyCanBeKept,
      ]
    : []),
]

export const credentials: StatedRule = {
  id: 'credentials',
  says: 'The call carries the key of an account.',
  place: '§Authentication, gap X1',
}

/** Where JSON is asked for. */
export const contentType: StatedRule = {
  id: 'content-type',
  says: 'The body is not said to be a form.',
  place: 'gap C12',
}

/** A form for uploads, and JSON for everything else. */
export const bodyIsReadable = ({ form, section }: Operation): StatedRule =>
  form === undefined
    ? {
        id: 'body-is-json',
        says: 'The body is JSON, as it is and not packed.',
        place: 'gap X8',
      }
    : {
        id: 'body-is-form',
        says: 'The body is a form (multipart/form-data) with one file.',
        place: `§${section} Upload`,
      }

export const bodySize = ({ section }: Operation): StatedRule => ({
  id: 'body-size',
  says: 'The body has at most the bytes that the settings allow.',
  place: placeOfSize[section] ?? 'gap Z7',
})

const placeOfSize: Readonly<Record<string, string>> = {
  ...{ A: 'gap A7', A2: 'gap A7' },
  ...{ C: 'gap Z24', E: 'gap Z24' },
  ...{ D: 'gap D7', F: 'gap F16' },
}

export const roomForBody: StatedRule = {
  id: 'room-for-body',
  says: 'There is room to read one more body, and for the account of the call.',
  place: 'docs/operations.md',
}

export const bodyCanBeKept: StatedRule = {
  id: 'body-can-be-kept',
  says: 'The emulator can keep what is sent, where it has to.',
  place: 'docs/operations.md',
}
