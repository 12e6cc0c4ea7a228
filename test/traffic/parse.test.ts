import { describe, expect, test } from 'vitest'
import { parseRecording } from '../../src/traffic/parse.js'

describe('parse', () => {
  const head = { kind: 'recording', version: 1, emulator: '0.1.0', platform: 'x', seed: 1, settings: {} }
  const call = {
    ...{ kind: 'call', account: '0123456789ab', at: '2026-01-01T00:00:00.000Z', id: 'i' },
    request: { method: 'GET', path: '/x' },
    answer: { status: 200 },
  }
  const asking = (request: object) => ({ ...call, request: { ...call.request, ...request } })
  const account = {
    ...{ kind: 'account', account: '0123456789ab', at: '2026-01-01T00:00:00.000Z', clock: 'paused' },
    ...{ key: { is: 'plain' }, balance: 1, agreementAccepted: true },
    limits: { requestsPerMinute: null, tasksInFlight: null, imageQuota: null },
  }
  const written = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const problem = (text: string): string => {
    try {
      parseRecording(text, 'session.jsonl')
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }

  test('one JSON document of several lines is no recording, even where it is the head alone', () => {
    const indented = JSON.stringify(head, null, 1)
    expect(problem(indented)).toContain(
      'It is one JSON document; a recording has a JSON object in each line.',
    )
    expect(problem(written(head))).toBe('none')
  })

  test('a HAR file is named as one, on one line and on several', () => {
    const har = { log: { version: '1.2', entries: [] } }
    for (const indent of [0, 2])
      expect(problem(JSON.stringify(har, null, indent))).toContain('`backlot scenario-from` reads it')
  })

  test('a line that is nested too deep is named', () => {
    const json: unknown = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)
    const deep = { ...call, answer: { status: 200, json } }
    expect(problem(written(head, deep))).toContain('line 2: it is nested too deep.')
  })

  test('lines have their numbers', () =>
    expect(parseRecording(`${written(head)}\n${written(call)}`).lines).toEqual([
      { lineNumber: 3, line: call },
    ]))

  test.each([
    ['an unfinished last line', `${written(head, call)}{"kind":"ca`, true, 1],
    ['a last line without its end', `${written(head, call)}${JSON.stringify(call)}`, false, 2],
    ['an empty last line', `${written(head, call)}\n`, false, 1],
  ])('%s', (_, text, isCut, lines) => {
    const recording = parseRecording(text)
    expect([recording.isCut, recording.lines.length]).toEqual([isCut, lines])
  })

  test.each([
    ['nothing', '', 'line 1: it must begin with {"kind":"recording"'],
    ['no head', written(call), 'line 1: it must begin with {"kind":"recording"'],
    ['a second head', written(head, head), 'line 2: a second head'],
    [
      'another version',
      written({ ...head, version: 2 }),
      'line 1: version must be 1: this recording is of another version, found 2',
    ],
    ['a line that is no JSON', `${written(head)}{oops}\n${written(call)}`, 'line 2: it is not JSON'],
    ['two lines that are no JSON', 'oops\noh\n', 'None of its 2 lines is JSON.'],
    [
      'a kind that there is not',
      written(head, { kind: 'cal' }),
      'line 2: kind must be one of recording, account, call',
    ],
    ['a field that there is not', written(head, { ...call, odd: 1 }), 'line 2: there is no odd.'],
    [
      'a field further in',
      written(head, { ...call, answer: { status: 200, bod: 1 } }),
      'line 2: there is no answer.bod.',
    ],
    ['a field that is missing', written(head, { ...call, id: undefined }), 'line 2: id is required'],
    [
      'a wrong value',
      written(head, { ...call, account: 'me' }),
      'line 2: account must be the tag of an account, 12 hex digits, found "me"',
    ],
    [
      'a method that is none',
      written(head, asking({ method: 'G T' })),
      'line 2: request.method must be an HTTP method, found "G T"',
    ],
    [
      'a method that opens a tunnel',
      written(head, asking({ method: 'CONNECT' })),
      'line 2: request.method must be an HTTP method other than CONNECT',
    ],
    [
      'a path that is none',
      written(head, asking({ path: '/a b' })),
      'line 2: request.path must be a part of a URL, without spaces and line breaks, found "/a b"',
    ],
    [
      'a query with a line break',
      written(head, asking({ query: 'a=1\n' })),
      'line 2: request.query must be a part of a URL',
    ],
    [
      'a name of a header with a line break',
      written(head, asking({ headers: { 'a\nb': 'c' } })),
      'line 2: request.headers must be an object whose keys are names of headers, found {"a\\nb":"c"}',
    ],
    [
      'a value of a header with a line break',
      written(head, asking({ headers: { range: 'a\nb' } })),
      'line 2: request.headers.range must be the value of a header, without line breaks, found "a\\nb"',
    ],
    [
      'a content type with a line break',
      written(head, asking({ contentType: 'a\nb' })),
      'line 2: request.contentType must be the value of a header, without line breaks',
    ],
    [
      'a state whose assets are none',
      written(head, { ...account, state: { accounts: [{ assets: [null] }] } }),
      'line 2: state.accounts[0].assets[0] must be an object, found null',
    ],
  ])('%s is complained of with its line', (_, text, message) => {
    expect(problem(text)).toContain('session.jsonl cannot be read as a recording.')
    expect(problem(text)).toContain(message)
  })

  test('all that is wrong is said, up to a bound', () => {
    const message = problem(written(head, ...Array(30).fill({ ...call, id: 1 })))
    expect(message).toContain('line 2: ')
    expect(message).toContain('line 21: ')
    expect(message).not.toContain('line 22: ')
    expect(message).toContain('and 10 more')
    const wrongAt = (count: number) => problem(written(head, ...Array(count).fill({ ...call, id: 1 })))
    expect(wrongAt(21)).toContain('and 1 more')
    expect(wrongAt(20)).toContain('line 21: ')
    expect(wrongAt(20)).not.toContain(' more')
  })
})
