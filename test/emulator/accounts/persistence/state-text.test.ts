import { describe, expect, test } from 'vitest'
import {
  applyRecord,
  emptyState,
  type StateRecord,
} from '../../../../src/emulator/accounts/persistence/records.js'
import {
  checksumAfter,
  endLine,
  headerLine,
  parseStateText,
} from '../../../../src/emulator/accounts/persistence/state-text.js'
import { EmulatorError } from '../../../../src/emulator/core/errors.js'

describe('parse', () => {
  const head = (ordinal: number): StateRecord => [
    'account',
    'kéy 🎬',
    '',
    {
      clock: { mode: 'paused', speed: 1, now: 1_000, wall: 2_000 },
      settledTo: 1_000,
      ordinal,
      requests: ordinal,
      credit: 10,
      spent: 0,
      agreementAccepted: true,
      limits: { requestsPerMinute: null, tasksInFlight: null, imageQuota: null },
      recentCreates: [],
      imagesMade: 0,
      callbacksEvicted: 0,
      playing: [],
    },
  ]

  const task = (id: string): StateRecord => [
    'task',
    'kéy 🎬',
    id,
    {
      id,
      family: 'b-video-task',
      account: 'kéy 🎬',
      model: 'videoa-2-0-260128',
      requestId: 'request',
      createdAt: 1_000,
      params: { prompt: 'a lighthouse\u2028at dusk 🎬' },
      timeline: [
        { at: 1_000, value: { state: 'queued' } },
        { at: 2_000, value: { state: 'failed', error: 'InternalServiceError' } },
      ],
      price: 0.5,
    },
  ]

  const batches: readonly (readonly StateRecord[])[] = [
    [head(1), task('one'), ['next', 'kéy 🎬', 'one', 1]],
    [head(2), task('two'), ['next', 'kéy 🎬', 'two', 1], ['next', 'kéy 🎬', 'one', null]],
    [head(3), ['task', 'kéy 🎬', 'one', null]],
  ]

  const header = `${headerLine('an-id', 1)}\n`
  let checksum = checksumAfter(0, header.trim())
  const texts = batches.map((records) => {
    const lines = records.map((record) => JSON.stringify(record))
    lines.push(endLine(lines.reduce(checksumAfter, checksum)))
    checksum = lines.reduce(checksumAfter, checksum)
    return [...lines, ''].join('\n')
  })
  const file = Buffer.from(header + texts.join(''))

  const parse = (text: string | Buffer) => {
    const parsed = parseStateText(Buffer.from(text as string), 'state.jsonl')
    const state = emptyState()
    for (const record of parsed.records) applyRecord(state, record)
    return { ...parsed, state }
  }

  /** As an editor leaves it that knows no checksum. */
  const unchecked = (text: string): string => text.replace(/\["end",.*\]/g, '["end"]')

  const errorOf = (text: string | Buffer): EmulatorError => {
    try {
      parse(text)
    } catch (error) {
      expect(error).toBeInstanceOf(EmulatorError)
      return error as EmulatorError
    }
    throw new Error('It was read.')
  }

  test('the last record of each holds', () => {
    const { state, cutOff, goodBytes } = parse(file)
    const account = state.accounts.get('kéy 🎬')
    expect(account?.head?.ordinal).toBe(3)
    expect([...(account?.task.keys() ?? [])]).toEqual(['two'])
    expect([...(account?.next ?? [])]).toEqual([['two', 1]])
    expect({ cutOff, goodBytes }).toEqual({ cutOff: 0, goodBytes: file.length })
  })

  test('cut off at any byte, it holds what the whole batches before say', () => {
    const ends = texts.map((_, index) => Buffer.byteLength(header + texts.slice(0, index + 1).join('')))
    for (let length = Buffer.byteLength(header); length < file.length; length += 1) {
      const { state, goodBytes } = parse(file.subarray(0, length))
      // A batch that lacks nothing but the end of its last line is whole.
      const whole = ends.filter((end) => end - 1 <= length).length
      expect(state.accounts.get('kéy 🎬')?.head?.ordinal).toBe(whole === 0 ? undefined : whole)
      expect(goodBytes).toBe(Math.min(length, [Buffer.byteLength(header), ...ends][whole] as number))
    }
  })

  test('with any bit flipped it is refused, or what it holds is the same', () => {
    const { records } = parse(file)
    for (let bit = 0; bit < file.length * 8; bit += 1) {
      const flipped = Buffer.from(file)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      let found: unknown
      try {
        found = parse(flipped).records
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-state' })
        continue
      }
      expect(found, `bit ${bit & 7} of byte ${bit >> 3}`).toEqual(records)
    }
  })

  test('a changed value is named with the end of its batch, and an end without a checksum lets it pass', () => {
    const edited = file.toString().replace('"price":0.5', '"price":1.5')
    expect(errorOf(edited).message).toContain('in line 5, found ["end","')
    expect(parse(unchecked(edited)).state.accounts.get('kéy 🎬')?.task.get('two')?.price).toBe(0.5)
    expect(parse(unchecked(edited)).records[1]?.[3]).toMatchObject({ price: 1.5 })
  })

  test('a batch that is missing in the middle is noticed', () => {
    expect(errorOf(header + texts[0] + texts[2]).message).toContain('the checksum of the lines before')
  })

  test.each([1e300, -1, 0.5, '1'])('a generation %j is refused', (generation) => {
    const edited = file.toString().replace('"generation":1', `"generation":${JSON.stringify(generation)}`)
    expect(errorOf(edited).message).toContain('in line 1, expected an id and a generation in the header')
  })

  test.each([{ generation: 1e300, bytes: 1 }, { generation: 1, bytes: -1 }, 7])(
    'a predecessor %j is refused',
    (after) => {
      const edited = `${JSON.stringify({ ...JSON.parse(header), after })}\n`
      expect(errorOf(edited).message).toContain('numbers in what it comes after')
    },
  )

  test('cut off within its header, it is no state file', () => {
    for (let length = 1; length < header.length - 1; length += 1)
      expect(errorOf(file.subarray(0, length)).message).toContain('in line 1')
  })

  test('a line that was damaged in the middle is named', () => {
    const lines = file.toString().split('\n')
    lines[2] = lines[2]?.slice(0, 40) ?? ''
    const { code, message } = errorOf(lines.join('\n'))
    expect(code).toBe('bad-state')
    expect(message).toContain('in line 3, expected a record in JSON, found ["task"')
  })

  test.each([
    [
      'a value of another kind',
      '"price":0.5',
      '"price":"0.5"',
      /in line 3, in the task one, price must be a number, found "0.5"/,
    ],
    ['a field that is missing', '"price":0.5', '"account":"kéy 🎬"', /in line 3, in the task one, price/],
    ['a word that is none', '"queued"', '"waiting"', /in line 3, in the task one, timeline\[0\].value.state/],
    ['a kind that is none', '["task"', '["tusk"', /in line 3, found a record of the kind "tusk"/],
    ['an id that is another', '"id":"one"', '"id":"other"', /in line 3, the task one says that it is other/],
    [
      'an account that is another',
      '"account":"kéy 🎬"',
      '"account":"other"',
      /in line 3, the task one says that it is of the account other/,
    ],
    ['no record at all', '["task","kéy 🎬","one",', '{"task":', /in line 3, expected/],
  ])('%s is named with its line', (_, found, changed, expected) => {
    expect(errorOf(file.toString().replace(found, changed)).message).toMatch(expected)
  })

  test('bytes that are no UTF-8 are named with their line', () => {
    const bytes = Buffer.from(file)
    bytes[bytes.indexOf('lighthouse')] = 0xff
    expect(errorOf(bytes).message).toContain('in line 3, found bytes that are no UTF-8')
  })

  test.each([
    [
      'JSON of something else',
      '{"name":"a package"}\n',
      'with which the file of a Backlot begins, found {"name":"a package"}',
    ],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 10, 26, 10]), 'in line 1'],
    ['a text', 'Dear diary,\n', 'in line 1'],
    [
      'a newer version',
      '{"backlot":"state","version":99}\n',
      'version 99, which a newer Backlot has written; this one reads up to 3',
    ],
  ])('%s is refused', (_, text, expected) => {
    expect(errorOf(text).message).toContain(expected)
  })

  test('a file that an editor has written is read: other ends of lines, empty lines, none at the end', () => {
    const edited = file
      .toString()
      .replaceAll('\n', '\r\n')
      .replace(/(\["end".*\])\r\n/, '$1\r\n\r\n')
      .trimEnd()
    const { state, cutOff } = parse(edited)
    expect(state.accounts.get('kéy 🎬')?.head?.ordinal).toBe(3)
    expect(cutOff).toBe(0)
  })

  test('text after the last batch that a kill cannot have left is an error', () => {
    const { message } = errorOf(`${file}["next","kéy 🎬","two",1]\n# two more to come\n["next"`)
    expect(message).toContain('in line 15, expected a record in JSON, found # two more to come')
  })

  test('a line of which the beginning is shown is not cut within a character', () => {
    const { message } = errorOf(`${file}# ${'-'.repeat(57)}🎬 and more\n["next"`)
    expect(message).toContain(`found # ${'-'.repeat(57)}…`)
  })

  test('a line that says the end within a record is none', () => {
    const text = unchecked(file.toString()).replace('"prompt":', '"words":["end"],"prompt":')
    expect(parse(text).state.accounts.get('kéy 🎬')?.head?.ordinal).toBe(3)
    expect(parse(text.slice(0, text.indexOf('"words"') + 20)).goodBytes).toBe(header.length)
  })

  test.each([-1, 0, 0.5])('there is no version %d', (version) => {
    expect(errorOf(file.toString().replace('"version":3', `"version":${version}`)).message).toContain(
      `found version ${version}; the versions are 1 to 3`,
    )
  })

  const callback = (reported: object) => ({
    id: 'one-1',
    taskId: 'one',
    kind: 'delivery',
    status: 'running',
    url: 'http://127.0.0.1:9/hook',
    body: null,
    attempts: [],
    state: 'waiting',
    moment: 1,
    task: reported,
  })
  const queue = { taskId: 'one', way: 'open', dueAt: null, entry: 1, isOver: false, waiting: [], held: [] }

  test('a queue of callbacks that says it is of another task is named', () => {
    const record = ['correspondence', 'k', 'another', queue]
    expect(errorOf(`${header}${JSON.stringify(record)}\n["end"]\n`).message).toContain(
      'in line 2, the correspondence another says that it is one',
    )
  })

  test('records of version 1 have the names of version 2, also within callbacks, and runs no traces', () => {
    const responseOverrides = { withoutUrl: true }
    const now = { ...(task('one')[3] as object), responseOverrides }
    const { params, timeline, responseOverrides: disguise, ...rest } = now as Record<string, unknown>
    const before = { ...rest, order: params, life: timeline, disguise }
    const run = { scenario: 's', seed: 1, since: 1, seen: [0], acted: [0], latest: {} }
    const guest = { ...run, latest: { create: { verdicts: 's' } } }
    const written = [
      ['task', 'kéy 🎬', 'one', before],
      ['callback', 'kéy 🎬', 'one-1', callback(before)],
      [
        'correspondence',
        'kéy 🎬',
        'one',
        { ...queue, waiting: [callback(before)], held: [callback(before)], guest },
      ],
    ]
    const lines = [{ backlot: 'state', version: 1 }, ...written, ['end']].map((line) => JSON.stringify(line))
    expect(parse(`${lines.join('\n')}\n`).records).toEqual([
      ['task', 'kéy 🎬', 'one', now],
      ['callback', 'kéy 🎬', 'one-1', callback(now)],
      [
        'correspondence',
        'kéy 🎬',
        'one',
        { ...queue, waiting: [callback(now)], held: [callback(now)], requestRun: run },
      ],
    ])
  })

  test('a record that is very deep is refused; brackets in strings are not levels', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const change = (value: string) =>
      unchecked(file.toString()).replace('"prompt":', `"deep":${value},"prompt":`)
    expect(errorOf(change(deep)).message).toContain('in line 3, found a record with more than 500 levels')
    expect(parse(change(JSON.stringify(`\\"${deep}`))).records.length).toBeGreaterThan(0)
  })
})
