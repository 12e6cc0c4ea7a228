import { expect, test } from 'vitest'
import { promptIn } from '../../../src/core/scenario/prompt.js'

test.each<[string, unknown, string | undefined]>([
  [
    'A and A2',
    { input: { messages: [{ content: [{ image: 'data:,text' }, { text: 'a lighthouse' }] }] } },
    'a lighthouse',
  ],
  [
    'B and F',
    {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    'one\ntwo',
  ],
  [
    'C',
    {
      media: [
        { type: 'text', text: 'one' },
        { type: 'first_frame', url: 'asset://x' },
      ],
    },
    'one',
  ],
  ['E', { prompt: 'a character runs', subject_reference: [] }, 'a character runs'],
  ['a body without one', { model: 'gamma-H3', negative_prompt: 'fog' }, undefined],
  ['no body', undefined, undefined],
  ['a body of another kind', [null, 7, 'text'], undefined],
])('the prompt of %s', (_, body, prompt) => expect(promptIn(body)).toBe(prompt))
