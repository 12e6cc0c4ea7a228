import { mustBe, mustBeButHas } from '../../core/request/must-be.js'
import type { Rule } from '../../core/task/rule.js'
import { imagesOf } from '../a-image/content.js'
import type { ImageError } from '../a-image/errors.js'
import { sharedRules } from '../a-image/rules.js'
import type { Image2Input } from './schema.js'

type Image2Rule = Rule<Image2Input, ImageError>

const exactlyOneMessage: Image2Rule = {
  id: 'exactly-one-message',
  says: 'There is exactly one message, unless the setting a2Editing is on.',
  place: '§A2, gap A5',
  check: ({ input: { messages } }, { settings }) =>
    messages.length === 1 || settings.a2Editing
      ? undefined
      : mustBeButHas(
          'InvalidParameter',
          'input.messages',
          'a list of exactly 1 item',
          `${messages.length} items`,
        ),
}

const textAlone: Image2Rule = {
  id: 'text-alone',
  says: 'The content holds no image, unless the setting a2Editing is on.',
  place: '§A2, gap A5',
  check: (input, { settings }) => {
    const first = imagesOf(input)[0]
    if (first === undefined || settings.a2Editing) return undefined
    return mustBe(
      'InvalidParameter',
      first.field,
      'left out: this model makes images from text alone',
      first.url,
    )
  },
}

export const rules: readonly Image2Rule[] = [exactlyOneMessage, textAlone, ...sharedRules]
