import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createLibrary, isFileName } from '../../../src/emulator/scenarios/library.js'
import type { LocatedDiagnostic } from '../../../src/emulator/scenarios/located.js'
import {
  parseScenario,
  readScenarioDocument,
  readScenarioFile,
} from '../../../src/emulator/scenarios/read.js'

describe('parse', () => {
  const flawsIn = async (text: string): Promise<string[]> => {
    const parsed = await parseScenario(text)
    return 'scenario' in parsed ? [] : parsed.diagnostics.map(placed)
  }

  const placed = ({ line, column, message }: LocatedDiagnostic) => `${line}:${column} ${message}`

  const yaml = `# A trial.
name: trial
says: What it does.
steps:
  - when: { operation: b-video-task.create, nth: [1, 3] }
    then:
      answer: { error: ServerOverloaded, retryAfter: 2 }
`

  const json = `{
\t"name": "trial",
\t"says": "What it does.",
\t"steps": [
\t\t{
\t\t\t"when": { "operation": "b-video-task.create", "nth": [1, 3] },
\t\t\t"then": { "answer": { "error": "ServerOverloaded", "retryAfter": 2 } }
\t\t}
\t]
}`

  test('YAML and JSON say the same', async () => {
    const [fromYaml, fromJson] = [await parseScenario(yaml), await parseScenario(json)]
    expect(fromYaml).toHaveProperty('scenario.steps[0].when.nth', [1, 3])
    expect(fromJson).toEqual(fromYaml)
  })

  test('a merge key stands for the keys that it names', async () => {
    const text = yaml
      .replace('when: {', 'when: &create {')
      .concat('  - { when: { <<: *create, nth: 2 }, then: { answer: { status: 503 } } }\n')
    const when = { operation: 'b-video-task.create', nth: 2 }
    expect(await parseScenario(text)).toHaveProperty('scenario.steps[1].when', expect.objectContaining(when))
  })

  test.each([
    ['1m30s', 90_000],
    ['1.5s', 1_500],
  ])('the duration %s is %i milliseconds once it is read', async (duration, ms) => {
    const text = yaml.replace('nth: [1, 3]', `from: ${duration}`)
    expect(await parseScenario(text)).toHaveProperty('scenario.steps[0].when.from', ms)
  })

  test('a step can be about the method of a cancel', async () => {
    const text = yaml.replace('task.create, nth: [1, 3]', 'task.cancel, method: DELETE')
    expect(await parseScenario(text)).toHaveProperty('scenario.steps[0].when.method', 'DELETE')
  })

  test.each<[string, string, string, string]>([
    ['an unknown key', 'nth: [1, 3]', 'nht: 1', '5:45 there is no key "nht" here: did you mean nth?'],
    [
      'a key that is only begun',
      'nth: [1, 3]',
      'prob: 1',
      '5:45 there is no key "prob" here: did you mean probability?',
    ],
    [
      'a key that is near none',
      'nth: [1, 3]',
      'weekday: 1',
      '5:45 there is no key "weekday" here: possible are operation, family',
    ],
    [
      'a key of an effect that stands beside its part',
      'answer: { error: ServerOverloaded, retryAfter: 2 }',
      'error: ServerOverloaded',
      '7:7 there is no key "error" here: it is a key of answer',
    ],
    [
      'a key of another part',
      'retryAfter: 2',
      'delay: 3s',
      '7:42 there is no key "delay" here: it is a key of transport',
    ],
    [
      'a key of the selector inside an effect',
      'retryAfter: 2',
      'first: 2',
      '7:42 there is no key "first" here: it is a key of when',
    ],
    [
      'a key of the file inside a step',
      '    then:',
      '    advice: Wait.\n    then:',
      '6:5 there is no key "advice" here: it stands beside steps',
    ],
    [
      'a part inside of itself',
      'retryAfter: 2',
      'answer: {}',
      '7:42 there is no key "answer" here: it is a key of then',
    ],
    [
      'a key of the step inside its selector',
      'nth: [1, 3]',
      'times: 2',
      '5:45 there is no key "times" here: it stands beside when',
    ],
    [
      'a part whose step lacks then',
      '    then:\n      answer',
      '    answer',
      '6:5 there is no key "answer" here: it is a key of then',
    ],
    [
      'a prompt that is a text',
      'nth: [1, 3]',
      'prompt: fog',
      '5:53 prompt must be an object with contains or matches, found "fog"',
    ],
    [
      'an unknown key at the top',
      '# A trial.',
      'stpes: []',
      '1:1 there is no key "stpes" here: did you mean steps?',
    ],
    [
      'an unknown operation',
      'task.create',
      'task.crate',
      '5:24 there is no operation "b-video-task.crate": did you mean b-video-task.create?',
    ],
    [
      'an unknown error',
      'ServerOverloaded',
      'ServerOverlode',
      '7:24 there is no error of b-video-task named "ServerOverlode": did you mean ServerOverloaded?',
    ],
    [
      'a value of the wrong type',
      '[1, 3]',
      'two',
      '5:50 nth must be a whole number, 1 or more, or an array, found "two"',
    ],
    ['a value inside a list', '[1, 3]', '[1, 0]', '5:54 nth must be a whole number, 1 or more, found 0'],
    [
      'a word that is none of those there are',
      'nth: [1, 3]',
      'callback: deliverry',
      '5:55 callback must be "challenge" or "delivery", or an object, found "deliverry": did you mean delivery?',
    ],
    [
      'a duration without unit',
      'nth: [1, 3]',
      'from: 10',
      '5:51 from must be a duration such as 250ms, 10s, 5m, 24h or 14d, found 10',
    ],
    [
      'a delay without unit',
      'answer: { error: ServerOverloaded, retryAfter: 2 }',
      'transport: { delay: 3 }',
      '7:27 delay must be a duration such as 250ms, 10s, 5m, 24h or 14d, or an object, found 3',
    ],
    [
      'a duration of another unit',
      'nth: [1, 3]',
      'from: 10min',
      '5:51 from must be a duration such as 250ms, 10s, 5m, 24h or 14d, found "10min"',
    ],
    [
      'a number that is no number',
      'nth: [1, 3]',
      'nth: .nan',
      '5:50 nth must be a whole number, 1 or more, or an array, found NaN',
    ],
    [
      'a duration of more than a hundred years',
      'nth: [1, 3]',
      'from: 36501d',
      '5:51 from must be a duration of at most 36500d, found "36501d"',
    ],
    [
      'a duration of more than a hundred years where a word may stand too',
      'answer: { error: ServerOverloaded, retryAfter: 2 }',
      'task: { queuedFor: 99999d }',
      '7:26 queuedFor must be a duration of at most 36500d, or "ever", found "99999d"',
    ],
    [
      'a subject that is none of those there are',
      'name: trial',
      'name: trial\nabout: polls',
      '3:8 about must be "create" or "poll" or "callback" or "result" or "money", found "polls": did you mean poll?',
    ],
    [
      'a survivable that is neither true nor false',
      'name: trial',
      'name: trial\nsurvivable: perhaps',
      '3:13 survivable must be true, false, or a list of families, found "perhaps"',
    ],
    [
      'a family under survivable that there is not',
      'name: trial',
      'name: trial\nsurvivable: [b-video-tusk]',
      '3:14 there is no family "b-video-tusk": did you mean b-video-task? Also possible: a-image, a2-image, c-video, d-assets, e-video-reference, f-video-v2, results',
    ],
    ['a missing field', 'name: trial\n', '', '2:1 name is missing: it must be a string'],
    [
      'a timeline of what is made at once',
      'b-video-task.create, nth: [1, 3] }\n    then:\n      answer: { error: ServerOverloaded, retryAfter: 2 }',
      'a-image.create }\n    then:\n      task: { queuedFor: 5m }',
      '7:7 task is for creates of tasks that can be queried; this step is about a-image.create',
    ],
    [
      'a selector that no call matches',
      'nth: [1, 3]',
      'first: 3, after: 3',
      '5:5 the first 3 are none of those after the first 3',
    ],
    [
      'a combination that cannot be',
      'retryAfter: 2',
      'status: 500',
      '7:7 error and status cannot be together: the status of an error is in the table of its family',
    ],
  ])('%s is found where it stands', async (_, good, bad, flaw) =>
    expect(await flawsIn(yaml.replace(good, bad))).toEqual([expect.stringContaining(flaw)]),
  )

  test('a byte order mark takes no column', async () =>
    expect(await flawsIn(yaml.replace(/^.*\nname/, '\uFEFFnmae'))).toContainEqual(
      expect.stringMatching(/^1:1 there is no key "nmae"/),
    ))

  test('a duration that may also be a word says both', async () => {
    const text = yaml.replace(/answer: .*/, 'task: { queuedFor: evr }')
    expect(await flawsIn(text)).toEqual([
      '7:26 queuedFor must be a duration such as 250ms, 10s, 5m, 24h or 14d, or "ever", found "evr": did you mean ever?',
    ])
  })

  test('a key of one of several shapes is compared with them all', async () => {
    const text = yaml.replace('nth: [1, 3]', 'prompt: { match: fog }')
    expect(await flawsIn(text)).toEqual([
      '5:55 there is no key "match" here: did you mean matches? Also possible: contains',
    ])
  })

  test('keys of two shapes cannot be together', async () => {
    const text = yaml.replace('nth: [1, 3]', 'prompt: { contains: fog, matches: fog }')
    expect(await flawsIn(text)).toEqual(['5:70 matches cannot be with the other keys here'])
  })

  test('all that is wrong comes at once, in the order of the file', async () => {
    const text = yaml
      .replace('says:', 'sais:')
      .replace('task.create, nth: [1, 3]', 'task.crate, nth: [1, 0]')
      .replace('retryAfter: 2', 'retryAfter: soon')
    expect(await flawsIn(text)).toEqual([
      '3:1 there is no key "sais" here: did you mean says? Also possible: $schema, name, description, advice, about, survivable, steps',
      expect.stringMatching(/^5:24 there is no operation/),
      '5:53 nth must be a whole number, 1 or more, found 0',
      '7:54 retryAfter must be a number, found "soon"',
    ])
  })

  test('all that breaks the syntax comes at once, aliases beside keys', async () =>
    expect(await flawsIn('name: *trial\nsays: one\nsays: *trial\nsteps: *all')).toEqual([
      expect.stringMatching(/^1:7 there is no anchor &trial/),
      '3:1 this key stands here twice, first at 2:1: give it once',
      expect.stringMatching(/^4:8 there is no anchor &all/),
    ]))

  const nested = (levels: number) => `name: ${'['.repeat(levels)}${']'.repeat(levels)}`
  const block = (levels: number) =>
    `name:\n${Array.from({ length: levels }, (_, at) => `${' '.repeat(at + 1)}-\n`).join('')}`

  test.each([
    ['brackets', nested],
    ['dashes', block],
    ['dashes on one line', (levels: number) => `name:\n  ${'- '.repeat(levels)}x`],
    ['braces', (levels: number) => `name: ${'{a: '.repeat(levels)}1${'}'.repeat(levels)}`],
  ])('a hundred levels of %s are read, and one more is not', async (_, text) => {
    // The file itself is a level.
    expect((await flawsIn(text(99))).join()).not.toContain('levels')
    expect((await flawsIn(text(100))).join()).toContain('more than 100 levels, one in the other')
  })

  test.each([900, 937, 100_000])('%d open brackets and braces are refused without a crash', async (count) => {
    for (const sign of ['[', '{', '- ', '? ', '[{', '"a": {'])
      expect((await flawsIn(sign.repeat(count).slice(0, 250_000))).join()).toContain('levels')
  })

  test('a text of 256 KiB is read, and one of a byte more is not', async () => {
    const text = `name: "${'x'.repeat(256 * 1024 - 8)}"`
    expect(Buffer.byteLength(text)).toBe(256 * 1024)
    expect((await flawsIn(text)).join()).not.toContain('bytes')
    expect(await flawsIn(`${text} `)).toEqual(['1:1 the text has 262145 bytes: at most 262144 are read'])
  })

  test('a text of many words and signs is refused where it has too many', async () => {
    expect((await flawsIn(`[${'1,'.repeat(5_300)}1]`)).join()).not.toContain('words')
    expect(await flawsIn(`[${'1,'.repeat(5_400)}1]`)).toEqual([
      expect.stringContaining('the text has more than 16000 words and signs'),
    ])
  })

  test.each([
    ['lines that are indented wrong', 'a:\n  b: 1\n c: 2\n'.repeat(30), 30],
    ['brackets that close nothing', ']\n'.repeat(1_000), 1_000],
  ])('of %s the first twenty are shown, and how many there are besides', async (_, text, count) => {
    const flaws = await flawsIn(text)
    expect(flaws).toHaveLength(21)
    expect(Number(/and (\d+) more$/.exec(flaws[20] ?? '')?.[1])).toBeGreaterThanOrEqual(count - 21)
  })

  test.each([
    ['an anchor', (name: string) => `a: *${name}`, /^1:4 there is no anchor &xxx/],
    ['a circle', (name: string) => `a: &${name} [*${name}]`, /^1:\d+ what the anchor &xxx/],
    ['a tag', (name: string) => `a: !${name}!y 1`, /^1:4 Could not resolve tag: !xxx/],
    [
      'an operation',
      (name: string) => yaml.replace(/operation: [\w.-]+/, `operation: ${name}`),
      /^5:\d+ there is no operation "xxx/,
    ],
  ])('a problem that names %s of any length is not as long', async (_, textOf, says) => {
    const flaws = await flawsIn(textOf('x'.repeat(60_000)))
    expect(flaws.join()).toMatch(says)
    expect(Math.max(...flaws.map(({ length }) => length))).toBeLessThan(2_100)
  })

  test('escapes that there are not are refused at once', async () => {
    expect((await flawsIn(`name: "${'\\q'.repeat(100_000)}"`)).join()).toContain('more than 20 escapes')
    expect((await flawsIn(`name: "${'\\n\\u0041\\x41\\"'.repeat(1_000)}"`)).join()).not.toContain('escapes')
  })

  test('five thousand aliases are looked up at once', async () => {
    const text = `name: &one x\nsteps: [${'*one, '.repeat(5_000)}*none]`
    expect(await flawsIn(text)).toEqual(['2:30009 there is no anchor &none before this alias'])
  })

  test('the keys of an object of many are not compared each with each', async () => {
    const text = `name: {${Array.from({ length: 1_900 }, (_, index) => `k${index}: 1, `).join('')}\n  k7: 2}\nsteps: []`
    expect(await flawsIn(text)).toEqual(['2:3 this key stands here twice, first at 1:57: give it once'])
  })

  test.each([
    ['the one that is empty', '{: 1, : 2}', '1:7', '1:2'],
    ['a number in two spellings', '{1: a, 0x1: b}', '1:8', '1:2'],
    ['one with an anchor', '{a: 1, &b a: 2}', '1:11', '1:2'],
  ])('a key stands twice: %s', async (_, text, at, first) =>
    expect(await flawsIn(text)).toEqual([
      `${at} this key stands here twice, first at ${first}: give it once`,
    ]),
  )

  test.each([
    ['nothing at all', '', '1:1 the file is empty: it must be an object'],
    ['a comment alone', '# later\n', '1:1 the file is empty: it must be an object'],
    ['a list', '- one', '1:1 the file must be an object, found ["one"]'],
    [
      'an open bracket',
      'name: [trial',
      '1:13 this is not indented as what it belongs to, or a bracket before it is not closed',
    ],
    ['an open brace of JSON', '{"name": "trial"', '1:17 a bracket before this is not closed: } is missing'],
    ['an open quote', 'name: "trial', '1:13 the closing " is missing'],
    ['a key twice', `${yaml}name: trial\n`, '8:1 this key stands here twice, first at 2:1: give it once'],
    ['a tab', 'name: trial\n\tsays: x', '2:1 this line is indented with a tab: use spaces'],
    [
      'a colon in a text',
      'says: one: two',
      '1:7 this text has a colon: put it in quotes, or begin a new line at the colon',
    ],
    [
      'a key without its colon',
      'steps:\n- b\n c: d',
      '2:3 this line is not indented as the one before, or a key is without its colon',
    ],
    [
      'a list and then a key',
      '- one\nname: trial',
      '2:1 this cannot stand here: look at the quotes, brackets and indentation before it',
    ],
    ['a reserved sign', 'name: @trial', '1:7 a text that begins with @ must be in quotes'],
    ['two documents', 'name: a\n---\nname: b', '2:1 a second document begins here: a file holds one'],
    ['an unknown alias', 'name: *trial', '1:7 there is no anchor &trial before this alias'],
    [
      'an alias within what it names',
      'steps: &all [*all]',
      '1:14 what the anchor &all names holds this alias',
    ],
    [
      'aliases that multiply',
      `a: &a [${'x, '.repeat(20)}]\nb: &b [${'*a, '.repeat(20)}]\nc: [${'*b, '.repeat(20)}]`,
      '1:1 the aliases stand for too much: write out what they name',
    ],
    [
      'an answer that JSON cannot hold',
      yaml.replace('error: ServerOverloaded, retryAfter: 2', 'body: { price: .nan }'),
      '2:1 steps[0].then.answer.body.price must be a JSON value, found NaN',
    ],
    ['a merge of what is no object', '<<: trial', '1:1 Merge sources must be maps or map aliases'],
  ])('%s is no scenario', async (_, text, flaw) => expect(await flawsIn(text)).toEqual([flaw]))
})

describe('read', () => {
  const text = (name: string, operation = 'b-video-task.create') => `name: ${name}
says: What it does.
steps:
  - when: { operation: ${operation} }
    then: { answer: { status: 502 } }
`

  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scenarios-'))
    await mkdir(join(folder, 'scenarios'))
    await writeFile(join(folder, 'mine.yaml'), text('another-name'))
    await writeFile(join(folder, 'wrong.yaml'), text('wrong', 'b-video-task.crate'))
    await writeFile(join(folder, 'scenarios', 'wrong.json'), text('wrong', 'b-video-task.crate'))
    await writeFile(join(folder, 'scenarios', 'good.yaml'), text('good'))
    await writeFile(join(folder, 'scenarios', 'renamed.yaml'), text('good'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('a file is read, and may have another name than its scenario', async () =>
    expect((await readScenarioFile(join(folder, 'mine.yaml'))).name).toBe('another-name'))

  test('a file can be in UTF-16, which Windows PowerShell writes, and its mistakes have their place', async () => {
    const inUtf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
    await writeFile(join(folder, 'utf16.yaml'), inUtf16(text('another-name')))
    await writeFile(join(folder, 'wrong-utf16.yaml'), inUtf16(text('wrong', 'b-video-task.crate')))
    expect((await readScenarioFile(join(folder, 'utf16.yaml'))).name).toBe('another-name')
    await expect(readScenarioFile(join(folder, 'wrong-utf16.yaml'))).rejects.toMatchObject({
      message: expect.stringContaining('wrong-utf16.yaml:4:24: '),
    })
  })

  test('in a folder scenarios the name is that of the file (gap Z30)', async () => {
    expect((await readScenarioFile(join(folder, 'scenarios', 'good.yaml'))).name).toBe('good')
    // As a path from within the folder, its last part but one is a dot.
    for (const path of ['scenarios/renamed.yaml', 'scenarios/./renamed.yaml'])
      await expect(readScenarioFile(`${folder}/${path}`)).rejects.toMatchObject({
        code: 'bad-scenario',
        message: expect.stringContaining(':1:1: name must be renamed, as the file is called, found good'),
      })
  })

  test.each(['wrong.yaml', 'scenarios/wrong.json'])('mistakes in %s are reported with their place', (name) =>
    expect(readScenarioFile(join(folder, name))).rejects.toMatchObject({
      code: 'bad-scenario',
      message: expect.stringContaining(
        `${join(folder, name)}:4:24: there is no operation "b-video-task.crate"`,
      ),
    }),
  )

  test('a file that is not there', async () =>
    expect(readScenarioFile(join(folder, 'nowhere.yaml'))).rejects.toMatchObject({
      code: 'no-such-file',
      sentence: `There is no file ${join(folder, 'nowhere.yaml')}.`,
    }))

  test('a key that is an object is told with its place, and by nothing else', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const parsed = await parseScenario('name: mine\nsays: {{ PLACEHOLDER }}\nsteps: [{ then: {} }]\n')
    expect(parsed).toMatchObject({ diagnostics: [{ line: 2, column: 7 }, { line: 3 }] })
    expect(emitWarning).not.toHaveBeenCalled()
  })

  test('a document in memory tells of the path where something is wrong', () =>
    expect(() =>
      readScenarioDocument({ name: 'mine', says: 'x', steps: [{ when: { nth: 0 }, answer: {} }] }),
    ).toThrow(/steps\[0\]\.when\.nth: nth must be.*\n.*steps\[0\]\.answer: there is no key "answer" here/s))

  test.each([
    ['upstream-flapping', false],
    ['mine.yaml', true],
    ['mine.JSON', true],
    ['./mine', true],
    ['C:\\mine', true],
  ])('%s is a file: %s', (name, isFile) => expect(isFileName(name)).toBe(isFile))

  test('the library names its scenarios and reads them by name', async () => {
    const library = createLibrary(join(folder, 'scenarios'))
    expect(await library.names()).toEqual(['good', 'renamed'])
    expect((await library.read('good')).steps).toHaveLength(1)
    await expect(library.read('goood')).rejects.toMatchObject({
      code: 'unknown-scenario',
      sentence: 'There is no scenario "goood".',
      hint: 'Did you mean good?',
    })
    await expect(library.read('something-else')).rejects.toMatchObject({ hint: 'There are: good, renamed.' })
  })
})
