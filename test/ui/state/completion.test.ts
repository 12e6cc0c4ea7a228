import { describe, expect, test } from 'vitest'
import { actions } from '../../../src/emulator/control/actions/index.js'
import { builtIn } from '../../../src/emulator/families/index.js'
import { completionsAt, indentBelow, type ScenarioWords } from '../../../src/ui/state/completion.js'

const words = actions['scenarios.words'].run(
  { registry: builtIn } as never,
  '',
  {},
) as unknown as ScenarioWords

/** Completions at the bar of a text. */
const at = (text: string): string[] => {
  const caret = text.indexOf('|')
  return completionsAt(text.replace('|', ''), caret, words).options.map((option) => option.text)
}

describe('completion of scenarios', () => {
  test.each([
    ['the keys of a document', '|', ['name: ', 'description: ', 'steps: ']],
    ['the rest of a key', 'name: mine\nde|', ['description: ']],
    ['the keys of a step', 'steps:\n  - |', ['when: ', 'then: ', 'times: ']],
    ['the keys of a step after another', 'steps:\n  - times: 2\n    |', ['when: ', 'then: ']],
    ['keys in a block', 'steps:\n  - when:\n      |', ['operation: ', 'nth: ', 'callback: ']],
    ['keys in braces', 'steps:\n  - then: { |', ['answer: ', 'transport: ', 'task: ']],
    [
      'keys in braces within braces',
      'steps:\n  - then: { answer: { |',
      ['error: ', 'status: ', 'retryAfter: '],
    ],
    ['keys after a comma', 'steps:\n  - then: { answer: { status: 503, |', ['error: ', 'body: ']],
    [
      'keys after inner braces',
      'steps:\n  - then: { answer: { status: 503 }, |',
      ['transport: ', 'callback: '],
    ],
    ['keys after a map in a list', 'steps: [{ when: {} }, { |', ['when: ', 'then: ', 'times: ']],
    ['operations after a list', 'steps: [{ when: { nth: [1], operation: b-|', ['b-video-task.create']],
    ['operations', 'steps:\n  - when: { operation: b-|', ['b-video-task.create', 'b-video-task.*']],
    ['operations in a list', 'steps:\n  - when: { operation: [a-image.create, f-|', ['f-video-v2.create']],
    ['errors', 'steps:\n  - then: { answer: { error: ServerO|', ['ServerOverloaded']],
    ['fixed words', 'about: |', ['create', 'poll', 'money']],
    ['switches', 'steps:\n  - required: |', ['true', 'false']],
  ])('has %s', (_, text, some) => expect(at(text)).toEqual(expect.arrayContaining(some)))

  test('has nothing where nothing is known', () => expect(at('steps:\n  - nonsense:\n      |')).toEqual([]))

  test('has the errors of the family of the step alone, each once, with its status', () => {
    const text = 'steps:\n  - when: { operation: b-video-task.create }\n    then: { answer: { error: Serv'
    const { options } = completionsAt(text, text.length, words)
    expect(options).toEqual([
      { text: 'ServerOverloaded', detail: expect.stringMatching(/^\d{3} b-video-task$/) },
    ])
    const after = 'steps:\n  - then: { answer: { error: Serv|\n  - when: { family: b-video-task }\n'
    expect(at(after)).toContain('ServiceUnavailable')
    const block =
      'steps:\n  - then:\n      answer:\n        error: Serv|\n    when:\n      family: b-video-task\n'
    expect(at(block)).toEqual(['ServerOverloaded'])
  })

  test.each(['|', 'steps:\n  - then: { |', 'steps:\n  - when: { operation: |'])(
    'has no option twice in %j',
    (text) => expect(at(text)).toEqual([...new Set(at(text))]),
  )

  test.each([
    ['steps:', '  '],
    ['  - when: { nth: 2 }', '    '],
    ['      answer:', '        '],
    ['    times: 2', '    '],
    ['', ''],
  ])('indents the line below %j by %j', (line, indent) =>
    expect(indentBelow(`name: a\n${line}`, 8 + line.length)).toBe(indent),
  )

  test('leaves out old spellings', () => expect(at('|')).not.toContain('says: '))

  test('says where the word begins', () =>
    expect(completionsAt('about: po', 9, words)).toMatchObject({ from: 7, options: [{ text: 'poll' }] }))
})
