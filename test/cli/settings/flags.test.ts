import { expect, test } from 'vitest'
import { flagged } from '../../../src/cli/settings/flags.js'
import { refusalOf, settingsOf } from './sources.js'

const accepted: [string, string[], object][] = [
  ['--port', ['--port', '0'], { port: 0 }],
  ['--port', ['--port', '65535'], { port: 65535 }],
  ['--host', ['--host', '0.0.0.0'], { host: '0.0.0.0' }],
  ['--public-url', ['--public-url', 'https://a.test/x'], { publicUrl: 'https://a.test/x' }],
  ['--clock', ['--clock', 'paused'], { clock: 'paused' }],
  ['--speed', ['--speed', '0.1'], { speed: 0.1 }],
  ['--start-at', ['--start-at', '2026-05-01T12:00:00+02:00'], { startAt: '2026-05-01T12:00:00+02:00' }],
  ['--timing', ['--timing', 'instant'], { timing: 'instant' }],
  ['--seed', ['--seed', '7'], { seed: 7 }],
  ['--account', ['--account', 'a', '--account', 'b'], { account: ['a', 'b'] }],
  [
    '--callback-hosts',
    ['--callback-hosts', 'a.test,b.test', '--callback-hosts', '*'],
    { callbackHosts: ['a.test', 'b.test', '*'] },
  ],
  ['--control-token', ['--control-token', 's3cret'], { controlToken: 's3cret' }],
  [
    '--scenario',
    ['--scenario', 'result-cut', '--scenario', 'mine.yaml'],
    { scenario: ['result-cut', 'mine.yaml'] },
  ],
  ['--state', ['--state', 'backlot.jsonl'], { state: 'backlot.jsonl' }],
  ['--state-fresh', ['--state-fresh'], { stateFresh: true }],
  ['--log-file', ['--log-file', '-'], { logFile: '-' }],
  ['--log-level', ['--log-level', 'debug'], { logLevel: 'debug' }],
  ['--strict', ['--strict'], { strict: true }],
  ['--set', ['--set', 'fetchMedia=all', '--set', 'imageQuota=null'], { fetchMedia: 'all', imageQuota: null }],
  ['--set', ['--set', 'defaultImageSize=512*512'], { defaultImageSize: '512*512' }],
  ['--set', ['--set', 'defaultImageSize=2048*2048'], { defaultImageSize: '2048*2048' }],
  ['--set', ['--set', 'defaultImageSize=4096*512'], { defaultImageSize: '4096*512' }],
]

test.each(accepted)('%s is taken: %j', async (_, flags, settings) =>
  expect((await settingsOf({ flags })).settings).toMatchObject(settings),
)

const refused: [string, string[], string][] = [
  ['--port', ['--port', '65536'], '--port must be at most 65535, found 65536.'],
  ['--port', ['--port', '-1'], '--port must be at least 0, found -1.'],
  ['--port', ['--port', 'http'], '--port must be a number, found "http".'],
  ['--host', ['--host', ''], '--host must be at least 1 character long, found "".'],
  [
    '--public-url',
    ['--public-url', 'ftp://a.test'],
    '--public-url must be a URL that begins with http:// or https://, found "ftp://a.test".',
  ],
  ['--clock', ['--clock', 'stopped'], '--clock must be one of live, paused, on-poll, found "stopped".'],
  ['--speed', ['--speed', '0'], '--speed must be above 0, found 0.'],
  [
    '--start-at',
    ['--start-at', 'tomorrow'],
    '--start-at must be a time such as 2026-01-01T00:00:00Z, found "tomorrow".',
  ],
  ['--timing', ['--timing', 'slow'], '--timing must be one of realistic, fast, instant, found "slow".'],
  ['--seed', ['--seed', '1.5'], '--seed must be an integer, found 1.5.'],
  ['--control-token', ['--control-token', ''], '--control-token must be at least 1 character long.'],
  [
    '--set',
    ['--set', 'fetchMedai=all'],
    '--set fetchMedai: fetchMedai is no setting, did you mean fetchMedia?',
  ],
  ['--set', ['--set', 'qqqqqqqqqq=1'], '--set qqqqqqqqqq: qqqqqqqqqq is no setting.'],
  ['--set', ['--set', 'fetchMedia'], '--set wants key=value, found "fetchMedia".'],
  ...(
    [
      ['1024x1024', 'width*height in pixels, such as 1024*1024'],
      ['9999*9999', 'of an area from 512*512 to 2048*2048 pixels'],
      ['511*512', 'of an area from 512*512 to 2048*2048 pixels'],
      ['4104*512', 'of an aspect ratio from 1:8 to 8:1'],
    ] as const
  ).map(([size, allowed]): [string, string[], string] => [
    '--set',
    ['--set', `defaultImageSize=${size}`],
    `--set defaultImageSize must be ${allowed}, found "${size}".`,
  ]),
  ['--set', ['--set', 'seed=x'], '--set seed must be a number, found "x".'],
]

test.each(refused)('%s is refused: %j', async (_, flags, message) =>
  expect(await refusalOf({ flags })).toBe(message),
)

test('every flag is tried with a value that it takes', () => {
  const output = ['--json', '--quiet']
  expect([...accepted.map(([flag]) => flag), ...output]).toEqual(
    expect.arrayContaining([...flagged.values()]),
  )
})

test('--json and --quiet are no settings of the emulator', async () => {
  const read = await settingsOf({ flags: ['--json', '--quiet'] })
  expect(read).toMatchObject({ json: true, quiet: true })
  expect(read.settings).not.toHaveProperty('json')
})

test('a flag wins over --set', async () => {
  const flags = ['--port', '1', '--set', 'port=2']
  expect((await settingsOf({ flags })).settings.port).toBe(1)
})

test('everything that is wrong is said at once', async () => {
  const message = await refusalOf({ flags: ['--port', 'x'], environment: { BACKLOT_SEED: 'y' } })
  expect(message).toBe('BACKLOT_SEED must be a number, found "y". --port must be a number, found "x".')
})
