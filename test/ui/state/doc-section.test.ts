import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sectionOf } from '../../../src/ui/state/doc-section.js'

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
