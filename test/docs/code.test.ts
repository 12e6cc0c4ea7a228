import { readdirSync } from 'node:fs'
import { join } from 'node:path/posix'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Block, blocks, examplesIn, inLanguages, placeOf } from './blocks.js'
import { complaintsOfCompiler } from './compile.js'

const known = ['', 'ts', 'py', 'go', 'js', 'mjs', 'cjs', 'json', 'yaml', 'sh', 'diff', 'dockerfile']

test('there is something to check', () => expect(blocks.length).toBeGreaterThan(30))

test.each(blocks.map((block) => [placeOf(block), block] as const))(
  '%s is in a language that is checked',
  (_, block) => {
    expect(known).toContain(block.language)
    expect(['file', 'given', 'not run', 'client']).toEqual(expect.arrayContaining(Object.keys(block.marks)))
  },
)

/** Examples in the comments of the handles that users call. */
const examples = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => examplesIn(join('src', name.replaceAll('\\', '/'))))

test('the handles that users call most have an example', () => {
  const code = examples.map((example) => example.code).join('\n')
  const handles = [
    ...['startEmulator(', 'connectEmulator(', 'useEmulator('],
    ...['clock.advance(', 'tasks.waitFor(', 'requests.list(', 'callbacks.list('],
    ...['emulator.inbox(', 'scenario.play(', 'emulator.fail(', 'emulator.account('],
  ]
  expect(handles.filter((handle) => !code.includes(handle))).toEqual([])
})

const wrong: Block = {
  ...{ page: 'wrong.md', line: 5, language: 'ts', marks: {} },
  code: "import { startEmulator } from 'backlot'\nawait startEmulator({ clock: 'stopped' })\n",
}

describe('code compiles against the sources', () => {
  // `npm run try-clients` runs the snippets with packages that are not installed here.
  const shown = inLanguages('ts', 'js', 'mjs', 'cjs').filter(({ marks }) => marks.client === undefined)
  const code = [...shown, ...examples]
  let complaints: ReturnType<typeof complaintsOfCompiler>
  beforeAll(() => {
    complaints = complaintsOfCompiler([...code, wrong])
  }, 120_000)

  test.each(code.map(placeOf))('%s', (place) => expect(complaints.get(place)).toEqual([]))

  test('wrong code would be found, with its line', () =>
    expect(complaints.get('wrong.md:5')).toEqual([
      expect.stringMatching(/^wrong\.md:6: Type '"stopped"' is not assignable/),
    ]))
})
