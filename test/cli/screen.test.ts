import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { baseUrlsOf, happeningLine, requestLine, screen, tokenLines } from '../../src/cli/screen.js'
import { type Paint, paintFor } from '../../src/command/command.js'
import { openEmulator } from '../../src/composition.js'
import { builtIn, families } from '../../src/emulator/families/index.js'
import { readSettings } from '../../src/emulator/settings.js'
import { callback, change, request } from './happened.js'

const { operations } = builtIn

describe('screen', () => {
  test('immediate effects of a call are listed below the call', async () => {
    const lines: string[] = []
    const { events } = screen(
      (line) => lines.push(line),
      (_, text) => text,
    )
    events?.happening?.(change('running'))
    events?.happening?.(change('succeeded'))
    events?.request?.(request({ task: 'cgt-1' }))
    await nextTurn()
    expect(lines.map((line) => line.split('  ').slice(1, 3))).toEqual([
      ['POST /v1/videos', '200'],
      ['task cgt-1', 'running'],
      ['task cgt-1', 'succeeded'],
    ])
  })
})

describe('the request to paste', () => {
  test.each([
    ['win32', /^curl -s http:\S+ {2}-H "Authorization: Bearer any-key" .* -d "\{\\"model\\":.*\}"$/m],
    [
      'linux',
      /^curl -s http:\S+ \\\n {2}-H 'Authorization: Bearer any-key' .* \\\n {2}-d '\{"model":.*\}'$/m,
    ],
  ] as const)('is written for the shell of %s', async (platform, command) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform)
    const emulator = await openEmulator(readSettings({}))
    const printed: string[] = []
    screen(
      (line) => printed.push(line),
      (_, text) => text,
    ).started({ emulator, url: 'http://127.0.0.1:4650', port: 4650 })
    vi.restoreAllMocks()
    await emulator.stop()
    expect(printed.join()).toMatch(command)
  })
})

test.each([
  ['0.0.0.0', 'Listening beyond this machine (0.0.0.0), so the control API asks for X-Backlot-Token: t'],
  ['127.0.0.1', 'Replicas of the store have a control token, so the control API asks for X-Backlot-Token: t'],
])('the line with a token that was made, on %s, says why there is one', (host, line) => {
  const emulator = { settings: readSettings({ host }), madeToken: 't' }
  expect(tokenLines(emulator as Parameters<typeof tokenLines>[0])).toEqual([line])
})

describe('the start screen', () => {
  const linesOf = async (settings: Parameters<typeof readSettings>[0]) => {
    const emulator = await openEmulator(readSettings(settings))
    const printed: string[] = []
    screen(
      (text) => printed.push(text),
      (_, text) => text,
    ).started({ emulator, url: 'http://127.0.0.1:4650', port: 4650 })
    await emulator.stop()
    return printed.join('\n').split('\n')
  }

  test('says how the clock runs, that every key is an account, and no more', async () => {
    expect((await linesOf({})).slice(1, 3)).toEqual([
      'Clock live, timing fast, seed 1; every API key is an account.',
      'Its page is at http://127.0.0.1:4650/_backlot/ui/',
    ])
  })

  test('has the speed of a live clock, the number of accounts, the public URL and the scenarios, but no key', async () => {
    const lines = await linesOf({
      ...{ speed: 60, account: ['alice', 'bob'], publicUrl: 'https://media.test/base' },
      scenario: ['callback-lost', 'upstream-flapping'],
    })
    expect(lines.slice(1, 5)).toEqual([
      'Clock live at 60 times the speed, timing fast, seed 1; 2 accounts.',
      'Result URLs begin with https://media.test/base',
      'Scenario callback-lost plays (one step).',
      expect.stringMatching(/^Scenario upstream-flapping plays \(\d steps\)\.$/),
    ])
    expect(lines.join()).toContain('Authorization: Bearer YOUR-KEY')
    expect(lines.join()).not.toContain('alice')
  })

  test('has no speed of a clock that stands', async () => {
    expect((await linesOf({ clock: 'paused', speed: 60 }))[1]).toMatch(/^Clock paused, timing fast/)
  })
})

describe('event lines', () => {
  const met = {
    name: 'waits',
    setting: 'waitsAtOnce',
    most: 1,
    says: 'There is no room for more waits.',
  } as const

  test.each([
    [1, 'There is no room for more waits.'],
    [10, 'There is no room for more waits. (10 times)'],
  ])('a bound that was met %d times is a line', (hits, line) => {
    const lines: string[] = []
    screen((text) => lines.push(text), plain).events?.quota?.({ ...met, hits })
    expect(lines).toEqual([line])
  })

  test('a request that is refused before its family is known is a line', () => {
    const lines: string[] = []
    const error = { status: 403, code: 'foreign_host', message: 'Requests for the host x\u001b are refused.' }
    screen((text) => lines.push(text), plain).events?.refused?.(error)
    expect(lines).toEqual(['403  Requests for the host x� are refused.'])
  })

  const plain: Paint = (_, text) => text

  test.each([
    ['a call', request({ task: 'cgt-1' }), '12:00:00Z  POST /v1/videos  200  c-video.create  cgt-1'],
    [
      'a call that a rule refused',
      request({
        status: 400,
        refusedBy: [{ rule: 'r', place: 'p', error: 'e', message: 'seconds must be 4 to 15, found "3"' }],
      }),
      '12:00:00Z  POST /v1/videos  400  c-video.create  seconds must be 4 to 15, found "3"',
    ],
    [
      'a call that nothing answers to',
      request({
        method: 'GET',
        path: '/v1/video',
        status: 404,
        operation: undefined,
        responseBody: { error: { message: 'Invalid URL' } },
      } as never),
      '12:00:00Z  GET  /v1/video  404  no such operation, did you mean POST /v1/videos?  Invalid URL',
    ],
  ])('%s is a line', (_, entry, line) => expect(requestLine(entry, plain)).toBe(line))

  test.each([
    ['a task', change('running'), '12:00:00Z  task cgt-1  running  videoa-2-0-260128'],
    [
      'a delivery',
      callback('delivered'),
      '12:00:00Z  callback cgt-1-2  delivered  running to https://hooks.test/in  204',
    ],
    [
      'a challenge that failed',
      callback('failed', { status: null, kind: 'challenge', reason: 'It gave back something else.' }),
      '12:00:00Z  callback cgt-1-2  failed  challenge to https://hooks.test/in  It gave back something else.',
    ],
  ])('what became of %s is a line', (_, happening, line) =>
    expect(happeningLine(happening, plain)).toBe(line),
  )

  test('control characters from a client do not reach the terminal', () => {
    const line = requestLine(request({ path: '/v1/\u001b[2Jvideos\u009b1m\n' }), plain)
    expect(line).toContain('/v1/�[2Jvideos�1m�')
  })

  test.each([
    ['green', 200, undefined],
    ['yellow', 400, undefined],
    ['yellow', 499, undefined],
    ['red', 500, undefined],
    ['red', 200, 'reset'],
  ] as const)('%s is the colour of the status %d with the connection %s', (colour, status, broken) => {
    const entry = request({ status, ...(broken && { answered: { broken } }) } as never)
    const line = requestLine(entry, (style, text) => `<${style}>${text}`)
    expect(line.split('  ')[2]).toBe(`<${colour}>${broken === undefined ? status : 'connection reset'}`)
  })

  test('a callback that was tried several times has the number of its attempt', () => {
    const [attempt] = callback('delivered').callback?.attempts ?? []
    const attempts = [attempt, attempt] as never
    expect(happeningLine(callback('delivered', { attempts }), plain)).toContain('  attempt 2  204')
  })

  test('a key in a path is not printed', () => {
    expect(requestLine(request({ path: '/v1/secret-key/videos' }), plain)).not.toContain('secret-key')
  })

  test('a long path is cut', () => {
    expect(requestLine(request({ path: `/${'x'.repeat(5_000)}` }), plain).length).toBeLessThan(300)
  })

  test.each([
    ['a terminal', { isTTY: true }, {}, true],
    ['a pipe', {}, {}, false],
    ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
    ['a terminal that knows no colour', { isTTY: true }, { TERM: 'dumb' }, false],
  ])('%s has colour: %j %j %j', (_, stream, environment, isColoured) => {
    const painted = paintFor(stream, environment)('red', 'x')
    expect(painted).toBe(isColoured ? '\u001b[31mx\u001b[39m' : 'x')
  })
})

describe('base urls', () => {
  const bases = baseUrlsOf({ operations, families })

  test.each([
    ['/provA/api/v1', ['A', 'A2']],
    ['/provB/api/v3', ['B']],
    ['/v1', ['C', 'D', 'E']],
    ['/provC/v2', ['F']],
  ])('%s is the base URL of the chapters %j', (path, sections) =>
    expect(bases.find((base) => base.path === path)?.chapters.map(({ section }) => section)).toEqual(
      expect.arrayContaining(sections),
    ),
  )

  test('the chapters of a base URL are those with a route below it, in their order', () => {
    for (const { path, chapters } of bases)
      expect(chapters).toEqual(
        families.filter(({ id }) =>
          operations.some(({ family, route }) => family === id && route.path.startsWith(`${path}/`)),
        ),
      )
  })

  test('every route lies below one base URL, and none is named twice', () => {
    const paths = bases.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { route } of operations)
      expect(paths.filter((path) => route.path.startsWith(`${path}/`))).toHaveLength(1)
  })
})
