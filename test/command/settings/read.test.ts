import { describe, expect, test } from 'vitest'
import { flagged } from '../../../src/command/settings/read.js'
import { settingNames, variableOf } from '../../../src/command/settings/sources.js'
import { readSettings } from '../../../src/emulator/settings.js'
import { refusalOf, settingsOf } from './sources.js'

describe('read', () => {
  const files = { 'backlot.config.json': '{"seed":2,"callbackHosts":["a.test","b.test"]}' }
  const environment = { BACKLOT_SEED: '3', BACKLOT_CALLBACK_HOSTS: 'c.test' }
  const flags = ['--seed', '4']

  test.each([
    ['nothing leaves the default', {}, 1],
    ['the file', { files }, 2],
    ['the environment wins over the file', { files, environment }, 3],
    ['the flag wins over both', { files, environment, flags }, 4],
  ])('%s', async (_, written, seed) => expect((await settingsOf(written)).settings.seed).toBe(seed))

  test('a stronger list replaces a weaker one as a whole', async () => {
    expect((await settingsOf({ files, environment })).settings.callbackHosts).toEqual(['c.test'])
  })

  test.each([
    ['the configuration', { files: { 'backlot.config.json': '{"port":5000}' } }, 0],
    ['the environment', { environment: { BACKLOT_PORT: '5000' } }, 0],
    ['the environment, though it is no port,', { environment: { BACKLOT_PORT: 'x' } }, 0],
    ['a flag', { flags: ['--port', '5000'] }, 5000],
  ])('where the port is to be a free one, that of %s makes it %j', async (_, written, port) =>
    expect((await settingsOf(written, { isForTests: true })).settings.port).toBe(port),
  )

  test('one scenario may stand in the file without a list', async () => {
    const written = { files: { 'backlot.config.yaml': 'scenario: result-cut\n' } }
    expect((await settingsOf(written)).settings.scenario).toEqual(['result-cut'])
    const several = { files: { 'backlot.config.yaml': 'scenario: [result-cut, mine.yaml]\n' } }
    expect((await settingsOf(several)).settings.scenario).toEqual(['result-cut', 'mine.yaml'])
  })

  test('switches of the command line can stand in the file', async () => {
    const written = { files: { 'backlot.config.yaml': 'json: true\nquiet: true\n' } }
    expect(await settingsOf(written)).toMatchObject({ json: true, quiet: true })
  })
})

describe('aliases', () => {
  test.each([
    ['a file', { files: { 'backlot.config.json': '{"accountsMost":7}' } }],
    ['a variable', { environment: { BACKLOT_ACCOUNTS_MOST: '7' } }],
    ['a flag', { flags: ['--set', 'accountsMost=7'] }],
  ])('a former name in %s sets what has a new one', async (_, written) => {
    const { settings, warnings } = await settingsOf(written)
    expect({ max: settings.maxAccounts, warnings }).toEqual({ max: 7, warnings: [] })
  })

  test('the variable with the present name wins', async () => {
    const environment = { BACKLOT_MAX_ASSETS: '8', BACKLOT_ASSETS_MOST: '7' }
    expect((await settingsOf({ environment })).settings.maxAssets).toBe(8)
  })

  test('what has the present name wins in a configuration file', async () => {
    const files = { 'backlot.config.json': '{"maxAssets":8,"assetsMost":7}' }
    expect((await settingsOf({ files })).settings.maxAssets).toBe(8)
  })

  test('what has the present name wins in code', () => {
    expect(readSettings({ maxAssets: 8, assetsMost: 7 }).maxAssets).toBe(8)
  })

  test('a recording or a caller in process may use them too', () => {
    expect(readSettings({ connectionsMost: 3 }).maxConnections).toBe(3)
  })
})

describe('environment', () => {
  test.each([
    ['port', 'BACKLOT_PORT'],
    ['fetchMedia', 'BACKLOT_FETCH_MEDIA'],
    ['a2Editing', 'BACKLOT_A2_EDITING'],
    ['renderTimeoutMs', 'BACKLOT_RENDER_TIMEOUT_MS'],
  ])('the variable of %s is %s', (name, variable) => expect(variableOf(name)).toBe(variable))

  test('no two settings share a variable', () => {
    expect(new Set(settingNames.map(variableOf)).size).toBe(settingNames.length)
  })

  test.each([
    [{ BACKLOT_PORT: '8080' }, { port: 8080 }],
    [
      { BACKLOT_STRICT: 'TRUE', BACKLOT_RENDERS_AT_ONCE: '2' },
      { strict: true, rendersAtOnce: 2 },
    ],
    [{ BACKLOT_STRICT: '1' }, { strict: true }],
    [{ BACKLOT_STRICT: 'False' }, { strict: false }],
    [{ BACKLOT_TASKS_IN_FLIGHT: 'null' }, { tasksInFlight: null }],
    [{ BACKLOT_CALLBACK_HOSTS: 'a.test,b.test' }, { callbackHosts: ['a.test', 'b.test'] }],
    [{ BACKLOT_ACCOUNT: 'alice,bob' }, { account: ['alice', 'bob'] }],
    [{ BACKLOT_ACCOUNT: '{"key":"a","balance":3}' }, { account: [{ key: 'a', balance: 3 }] }],
    [{ BACKLOT_ACCOUNT: 'a,{"key":"b"}' }, { account: ['a', { key: 'b' }] }],
    [{ BACKLOT_PORT: '' }, { port: 4650 }],
    [{ BACKLOT_PORT: 'tcp://10.0.0.1:4650', BACKLOT_PORT_4650_TCP: 'tcp://10.0.0.1:4650' }, { port: 4650 }],
  ])('%j is taken', async (environment, settings) =>
    expect((await settingsOf({ environment })).settings).toMatchObject(settings),
  )

  test.each([
    [{ BACKLOT_PORT: 'x' }, 'BACKLOT_PORT must be a number, found "x".'],
    ...['perhaps', 'untrue', 'trues', '10', '01'].map((text): [Record<string, string>, string] => [
      { BACKLOT_STRICT: text },
      `BACKLOT_STRICT must be a boolean, found "${text}".`,
    ]),
    [
      { BACKLOT_FETCH_MEDIA: 'images' },
      'BACKLOT_FETCH_MEDIA must be one of none, local, all, found "images".',
    ],
    [{ BACKLOT_ACCOUNT: ' ' }, 'BACKLOT_ACCOUNT[0] must be at least 1 character long.'],
    [{ BACKLOT_ACCOUNT: '["a"' }, 'BACKLOT_ACCOUNT must be an array.'],
    [{ BACKLOT_ACCOUNT: '{"key":"a","balance":' }, 'BACKLOT_ACCOUNT must be an array.'],
    [{ BACKLOT_MODERATION_WORDS: '["a"' }, 'BACKLOT_MODERATION_WORDS must be an array, found "[\\"a\\"".'],
    [{ BACKLOT_PRICES: '3' }, 'BACKLOT_PRICES must be an object, found "3".'],
  ])('%j is refused', async (environment, message) => expect(await refusalOf({ environment })).toBe(message))

  test.each([
    ['a variable that is nearly a setting', { BACKLOT_FETCH_MEDAI: 'all' }, 1],
    ['a variable of somebody else', { BACKLOT_ARTIFACTS_FOLDER: 'x' }, 0],
    ['the variables that exec sets', { BACKLOT_URL: 'http://127.0.0.1:1' }, 0],
    ['a setting', { BACKLOT_PORT: '0' }, 0],
    ['a variable that is read elsewhere and is nearly a setting', { BACKLOT_SWEEP: 'x' }, 0],
    ['a name that does not begin so', { XBACKLOT_PROT: '1' }, 0],
  ])('%s gives so many warnings: %j', async (_, environment, count) =>
    expect((await settingsOf({ environment: environment as Record<string, string> })).warnings).toHaveLength(
      count,
    ),
  )

  test('the warning names the variable that was meant', async () => {
    const { warnings } = await settingsOf({ environment: { BACKLOT_PROT: '1' } })
    expect(warnings).toEqual(['BACKLOT_PROT is no setting and was ignored; did you mean BACKLOT_PORT?'])
  })
})

describe('flags', () => {
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
    ['--tls-cert', ['--tls-cert', 'cert.pem'], { tlsCert: 'cert.pem' }],
    ['--tls-key', ['--tls-key', 'key.pem'], { tlsKey: 'key.pem' }],
    [
      '--allowed-hosts',
      ['--allowed-hosts', 'a.test', '--allowed-hosts', 'b.test'],
      { allowedHosts: ['a.test', 'b.test'] },
    ],
    [
      '--callback-hosts',
      [
        '--callback-hosts',
        'a.test,*.B.test',
        '--callback-hosts',
        '*',
        '--callback-hosts',
        '10.0.0.1,2001:db8::1,backlot.2024',
      ],
      { callbackHosts: ['a.test', '*.B.test', '*', '10.0.0.1', '2001:db8::1', 'backlot.2024'] },
    ],
    ['--control-token', ['--control-token', 's3cret'], { controlToken: 's3cret' }],
    [
      '--scenario',
      ['--scenario', 'result-cut', '--scenario', 'mine.yaml'],
      { scenario: ['result-cut', 'mine.yaml'] },
    ],
    [
      '--profile',
      ['--profile', 'mine.yaml', '--profile', 'only-in-ci.yaml'],
      { profile: ['mine.yaml', 'only-in-ci.yaml'] },
    ],
    ['--verified', ['--verified', 'seen.json'], { verified: 'seen.json' }],
    ['--families', ['--families', './a.family.ts'], { families: ['./a.family.ts'] }],
    ['--state', ['--state', 'backlot.jsonl'], { state: 'backlot.jsonl' }],
    ['--state-fresh', ['--state-fresh'], { stateFresh: true }],
    ['--state-take-over', ['--state-take-over'], { stateTakeOver: true }],
    ['--store', ['--store', 'redis://127.0.0.1:6379'], { store: 'redis://127.0.0.1:6379' }],
    ['--log-file', ['--log-file', '-'], { logFile: '-' }],
    ['--log-level', ['--log-level', 'debug'], { logLevel: 'debug' }],
    ['--strict', ['--strict'], { strict: true }],
    [
      '--set',
      ['--set', 'fetchMedia=all', '--set', 'imageQuota=null'],
      { fetchMedia: 'all', imageQuota: null },
    ],
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
    ...['https://a.test/?', 'https://a.test/base?size=1', 'https://a.test/#top'].map(
      (url): [string, string[], string] => [
        '--public-url',
        ['--public-url', url],
        `--public-url must be a URL without a query or a fragment, found "${url}".`,
      ],
    ),
    ['--clock', ['--clock', 'stopped'], '--clock must be one of live, paused, on-poll, found "stopped".'],
    [
      '--clock',
      ['--clock', 'onpoll'],
      '--clock must be one of live, paused, on-poll, found "onpoll": did you mean on-poll?',
    ],
    ['--speed', ['--speed', '0'], '--speed must be above 0, found 0.'],
    [
      '--start-at',
      ['--start-at', 'tomorrow'],
      '--start-at must be a time such as 2026-01-01T00:00:00Z, found "tomorrow".',
    ],
    [
      '--start-at',
      ['--start-at', '9999-12-31T23:59:59-00:01'],
      '--start-at must be from 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z, found "9999-12-31T23:59:59-00:01".',
    ],
    ['--timing', ['--timing', 'slow'], '--timing must be one of realistic, fast, instant, found "slow".'],
    ['--seed', ['--seed', '1.5'], '--seed must be an integer, found 1.5.'],
    ['--account', ['--account', ','], '--account[0] must be at least 1 character long.'],
    ['--account', ['--account', 'a', '--account', '["b"'], '--account must be an array.'],
    ['--account', ['--account', ''], '--account[0] must be at least 1 character long.'],
    ['--account', ['--account', ' '], '--account[0] must be at least 1 character long.'],
    ['--set', ['--set', 'account='], '--set account[0] must be at least 1 character long.'],
    [
      '--allowed-hosts',
      ['--allowed-hosts', ''],
      '--allowed-hosts[0] must be at least 1 character long, found "".',
    ],
    ...[
      'https://hooks.test',
      'hooks.test:8080',
      'hooks.test/path',
      'hooks test',
      'hooks.*',
      '[::1]',
      'hööks.test',
    ].map((pattern): [string, string[], string] => [
      '--callback-hosts',
      ['--callback-hosts', pattern],
      `--callback-hosts[0] must be a host name or an address, *.name or *, without a scheme, a port or a path, found "${pattern}".`,
    ]),
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
    const tried = new Set([...accepted.map(([flag]) => flag), ...output])
    expect([...flagged.values()].filter((flag) => !tried.has(flag))).toEqual([])
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
    expect(message).toBe('BACKLOT_SEED must be a number, found "y".\n--port must be a number, found "x".')
  })
})

describe('a control API without a token', () => {
  const url = ['--public-url', 'https://api.example.com/emulator']

  test('is told where results have the address of a proxy', async () => {
    const { warnings } = await settingsOf({ flags: url })
    expect(warnings).toEqual([
      'The control API asks for no token, not even at api.example.com (publicUrl): set controlToken.',
    ])
  })

  test.each([
    ['a token is set', [...url, '--control-token', 'secret-token']],
    ['one is made', [...url, '--host', '0.0.0.0']],
    ['replicas may have one', [...url, '--store', 'redis://127.0.0.1:6379']],
    ['the address is of this machine', ['--public-url', 'http://localhost:8080']],
    ['results have the host of the call', []],
  ])('is not told where %s', async (_, flags) => expect((await settingsOf({ flags })).warnings).toEqual([]))
})
