import type { Operation } from '../../core/operation.js'
import type { StatedRule } from '../../core/task/rule.js'
import { placeOfBodySize } from './unreadable-body.js'

/** What calls of an operation are refused for before anything is decided: for their key, and for a body that cannot be read. */
export const earlyRules = (operation: Operation): readonly StatedRule[] => [
  ...(operation.needsKey ? [credentials] : []),
  ...(operation.route.method === 'POST'
    ? [
        operation.form === undefined ? bodyIsJson : bodyIsForm(operation),
        bodySize(operation),
        roomForBody,
        bodyCanBeKept,
      ]
    : []),
]

const credentials: StatedRule = {
  id: 'credentials',
  says: 'The call carries the key of an account.',
  place: '§Authentication, defaults X1',
}

const bodyIsJson: StatedRule = {
  id: 'body-is-json',
  says: 'The body is JSON, as it is and not packed.',
  place: 'defaults X8, C12',
}

const bodyIsForm = ({ section }: Operation): StatedRule => ({
  id: 'body-is-form',
  says: 'The body is a form (multipart/form-data) with one file.',
  place: `§${section} Upload`,
})

const bodySize = ({ section }: Operation): StatedRule => ({
  id: 'body-size',
  says: 'The body has at most the bytes that the settings allow.',
  place: placeOfBodySize(section),
})

const roomForBody: StatedRule = {
  id: 'room-for-body',
  says: 'There is room to read one more body, and for the account of the call.',
  place: 'docs/operations.md',
}

const bodyCanBeKept: StatedRule = {
  id: 'body-can-be-kept',
  says: 'The emulator can keep what is sent, where it has to.',
  place: 'docs/operations.md',
}
