import { expect, test } from 'vitest'
import { promptIn } from '../../../../src/emulator/core/scenario/match.js'

/** A text below so many levels, every other of which is a list. */
const nested = (levels: number): unknown =>
  levels === 0 ? { text: 'deep' } : levels % 2 === 0 ? { level: nested(levels - 1) } : [nested(levels - 1)]

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
  [
    'texts in the order of their keys, however deep',
    { text: 'one', list: [[{ prompt: 'two' }], 'text', null, { deep: { text: 'three' } }], prompt: 'four' },
    'one\ntwo\nthree\nfour',
  ],
  ['a text of the eighth level', nested(8), 'deep'],
  ['a text of the ninth level', nested(9), undefined],
  ['a text that is a list or a number', { text: ['one'], prompt: 7 }, undefined],
  ['no body', undefined, undefined],
  ['a body of another kind', [null, 7, 'text'], undefined],
])('the prompt of %s', (_, body, prompt) => expect(promptIn(body)).toBe(prompt))
