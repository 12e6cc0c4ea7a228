import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { plainText, sectionOf } from '../../../src/ui/state/doc-section.js'

const page = readFileSync('docs/families/b-video-task.md', 'utf8')

test('a section ends before the next one of its level, and has those below it', () => {
  expect(sectionOf(page, 'duration')).toMatch(/^### duration/)
  expect(sectionOf(page, 'duration')).not.toContain('### resolution')
  expect(sectionOf(page, 'response')).toContain('### query')
  expect(sectionOf(page, 'response')).not.toContain('## Errors')
})

test('a heading that is not there leaves the whole page', () => {
  expect(sectionOf(page, 'no-such-heading')).toBe(page)
  expect(sectionOf('# A page: `x`\n\ntext', 'a-page-x')).toBe('# A page: `x`\n\ntext')
})

test.each([
  ['a paragraph of several lines', 'one\ntwo\n\nthree', 'one two\n\nthree'],
  ['a heading', '### ratio\n\ntext', 'ratio\n\ntext'],
  [
    'a link and a note',
    'see [gaps](gaps.md#b1), none<sup>[seen](../gaps.md#b11)</sup>',
    'see gaps, none (seen)',
  ],
  ['a list', 'text\n- one\n  more\n- two\n1. three', 'text\n- one\n  more\n- two\n1. three'],
  ['a table', '| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 | 2 |'],
  ['code', 'text\n\n```sh\ncurl \\\n  -s\n[x](y)\n```\n\nmore', 'text\n\ncurl \\\n  -s\n[x](y)\n\nmore'],
])('Markdown becomes a plain text: %s', (_, markdown, text) => expect(plainText(markdown)).toBe(text))
