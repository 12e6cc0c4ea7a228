import { URL } from 'node:url'
import { z } from 'zod'
import { EmulatorError } from './core/errors.js'
import { suggestingRefusals } from './core/request.js'
import { clockModes, DAY, LONGEST_TIMER_MS, MAX_SPEED, MINUTE, timings } from './core/schedule/time.js'
import { bytes, oneOrMore, quota, switchedOff } from './core/setting-fields.js'
import { accountSettingsSchema, clockStart, limitsSchema, type Settings } from './core/settings.js'
import { nearest } from './core/suggest.js'
import { imageSettings } from './families/a-image/settings.js'
import { image2Settings } from './families/a2-image/settings.js'
import { videoSettings } from './families/c-video/settings.js'
import { assetsSettings } from './families/d-assets/settings.js'
import { sharedSettings } from './families/shared/settings.js'

/** Setting of a whole number from `min`, with its default. */
const integer = (min: number, usual: number) => z.int().min(min).default(usual)
// A colon is a part of an IPv6 address alone, which URLs write in one way.
const isHostPattern = (pattern: string): boolean => {
  const host = pattern.replace(/^\*\./, '').toLowerCase()
  const url = `http://[${host}]`
  const isIPv6 = URL.canParse(url) && new URL(url).hostname === `[${host}]`
  return pattern === '*' || /^[\w.-]+$/.test(host) || isIPv6
}
const hostPatterns = () =>
  z
    .array(
      z.string().min(1, { abort: true }).refine(isHostPattern, {
        error: 'a host name or an address, *.name or *, without a scheme, a port or a path',
      }),
    )
    .default([])
const isAddressPattern = (pattern: string): boolean => {
  const [address = '', prefix, ...more] = pattern.split('/')
  const most = address.includes(':') ? 128 : 32
  const isAddress = address.includes(':')
    ? URL.canParse(`http://[${address}]`)
    : /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && URL.canParse(`http://${address}`)
  return (
    pattern === '*' ||
    (isAddress &&
      more.length === 0 &&
      (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most)))
  )
}
// A browser sends an origin in small letters and without the default port; any other spelling would match no page.
const isOriginPattern = (text: string): boolean =>
  text === '*' || (/^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text)
const hasDatabaseNumber = (url: string): boolean => /^(\/\d*)?$/.test(new URL(url).pathname)
const hasNoQuery = (url: string): boolean => !url.includes('?')
const isPercentEncoded = (url: string): boolean => {
  const { username, password, hash } = new URL(url)
  try {
    decodeURIComponent(username + password)
    return hash === ''
  } catch {
    return false
  }
}
const optionalText = z.string().min(1).optional()
const factor = z.number().positive({ error: 'above 0' })
const wait = (ms: number) => oneOrMore.max(LONGEST_TIMER_MS).default(ms)

/** Metadata of a setting that recordings do not hold: its description, and the mark. */
const unrecorded = (description: string) => ({ description, 'x-unrecorded': true })

/** File of verified facts in the working folder. It is read and written where the setting `verified` names no other. */
export const VERIFIED_FILE = 'backlot.verified.json'

/** Value of the setting `verified` with which no such file is read or written. */
export const NO_VERIFIED_FILE = 'none'

/** Levels of the log, the least important first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const

/**
 * Every setting that changes what the emulator does, with its default. A key here is a key of the configuration file,
 * an environment variable (`BACKLOT_` and the key in capitals with underscores) and a `--set key=value` (gap Z9).
 *
 * A setting is not recorded where no answer depends on it, or where a recording has it in another form: the seed in its
 * head, clocks and accounts on lines of their own. Every setting with a key, a token or the name of a place is among them.
 *
 * Settings of families stand in their folders. Each has a line here for its place in docs/settings.md.
 */
export const settingsSchema = z.object({
  // Where it listens
  port: z.int().min(0).max(65535).default(4650).meta(unrecorded('port to listen on; 0 picks a free one')),
  host: z.string().min(1).default('127.0.0.1').meta(unrecorded('address to listen on')),
  publicUrl: z
    .url({ protocol: /^https?$/, error: 'a URL that begins with http:// or https://', abort: true })
    .refine((url) => !/[?#]/.test(url), 'a URL without a query or a fragment')
    .optional()
    .meta(unrecorded('base of result URLs; default: the request’s Host')),
  trustedProxies: z
    .array(z.string().refine(isAddressPattern, { error: 'an IP address, a subnet such as 10.0.0.0/8, or *' }))
    .default([])
    .meta(
      unrecorded(
        'addresses of proxies whose X-Forwarded-Host and X-Forwarded-Proto count for result URLs: addresses, subnets or *',
      ),
    ),
  tlsCert: optionalText.meta(
    unrecorded('file of a certificate (PEM), with which the port answers to https:// as well; default: none'),
  ),
  tlsKey: optionalText.meta(unrecorded('file of its key (PEM), without a passphrase')),
  allowedHosts: hostPatterns().meta(
    unrecorded('names besides local ones that requests may have in their Host header: names, *.name or *'),
  ),
  corsOrigins: z
    .array(z.string().refine(isOriginPattern, { error: 'an origin such as http://localhost:5173, or *' }))
    .default([])
    .describe('origins of web pages that may call the service, or *; never the control API'),
  controlToken: optionalText.meta(
    unrecorded(
      'token that the control API requires in X-Backlot-Token; default: none on loopback, a random one beyond it',
    ),
  ),
  signingSecret: z
    .string()
    .min(16)
    .optional()
    .meta(
      unrecorded(
        'secret that signs result URLs; default: derived from the seed, random beyond loopback; with a store that of its first replica',
      ),
    ),

  // Connections
  headersTimeoutMs: wait(20_000).meta(unrecorded('how long the headers of a request may take to come')),
  requestTimeoutMs: wait(120_000).meta(unrecorded('how long a whole request may take to come')),
  // Longer than proxies keep theirs (nginx: 60 s): one that is closed as a call comes in is a 502 to its client.
  keepAliveTimeoutMs: wait(75_000).meta(unrecorded('how long a connection stays open after an answer')),
  unreadTimeoutMs: wait(60_000).meta(
    unrecorded('how long an answer may wait for a client that does not read it'),
  ),
  headerBytes: integer(1024, 16 * 1024).meta(unrecorded('the request line and headers of a request')),
  requestsPerConnection: integer(0, 0).meta(
    unrecorded('requests after which a connection is closed; 0: never'),
  ),
  requestsAtOncePerConnection: quota(1_000).meta(
    unrecorded('requests of one connection (pipelined) that have no answer yet'),
  ),
  bodyBytesAtOnce: bytes(256).meta(unrecorded('bodies that are read at the same time, of all connections')),

  // Time and chance
  clock: z
    .enum(clockModes)
    .default('live')
    .meta(
      unrecorded(
        'live follows the system clock, paused is moved by hand, on-poll moves when a task is asked about',
      ),
    ),
  speed: factor
    .max(MAX_SPEED)
    .default(1)
    .meta(unrecorded('how many times faster than the system clock a live clock runs')),
  startAt: clockStart
    .optional()
    .meta(
      unrecorded('where clocks begin; default: now for live ones and 2026-01-01T00:00:00Z for the others'),
    ),
  timing: z
    .enum(timings)
    .default('fast')
    .describe('how long tasks take: as on the service, a few seconds, or done at creation'),
  seed: z.int().min(0).default(1).meta(unrecorded('seed of everything random: ids, durations, pixels')),
  scenario: z
    .array(
      z.union([z.string().min(1), z.looseObject({ name: z.string() })], {
        error: 'the name of a ready-made scenario, a file, or a whole document',
      }),
    )
    .default([])
    .meta({
      ...unrecorded('scenarios that play for every account: names of ready-made ones, files, or documents'),
      'x-type': 'GivenScenario | readonly GivenScenario[]',
    }),

  // What is different in the service
  profile: z
    .array(
      z.union([z.string().min(1), z.looseObject({})], {
        error: 'a file in YAML, JSON or TypeScript, or a whole document',
      }),
    )
    .default([])
    .meta({
      description: 'profiles: what is different in your service; of several, the later ones win',
      'x-type': 'GivenProfile | readonly GivenProfile[]',
    }),

  verified: optionalText.meta(
    unrecorded(
      'file of what backlot verify has seen of your service, or none; default: backlot.verified.json of the working directory, where there is one',
    ),
  ),

  // Families from outside
  families: z
    .array(
      z.union([z.string().min(1), z.looseObject({ id: z.string() })], {
        error: 'a file, the name of a package, or a family',
      }),
    )
    .default([])
    .meta({
      ...unrecorded('families that are added: files, packages, or in code the families themselves'),
      'x-type': 'readonly (string | object)[]',
    }),
  familySettings: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .default({})
    .describe('settings of added families, by the id of the family'),

  // Accounts
  account: z
    .array(
      z.union([z.string().min(1), accountSettingsSchema], {
        error: 'a key, or an object with key, balance, agreementAccepted and limits',
      }),
    )
    .superRefine((accounts, { addIssue }) => {
      const keys = accounts.map((named) => (typeof named === 'string' ? named : named.key))
      const index = keys.findIndex((key, at) => keys.indexOf(key) < at)
      // Keys are not shown.
      const message = `a key that is not listed before; account[${keys.indexOf(keys[index] ?? '')}] has it`
      if (index >= 0) addIssue({ code: 'custom', path: [index], message })
    })
    .default([])
    .meta({
      ...unrecorded('the keys that are accounts; default: every key is one'),
      'x-type': 'readonly (string | OpeningAccount)[]',
    }),
  balance: z.number().default(1_000_000).describe('balance with which an account opens'),
  requestsPerMinute: limitsSchema.shape.requestsPerMinute.default(null),
  tasksInFlight: limitsSchema.shape.tasksInFlight.default(null),
  imageQuota: limitsSchema.shape.imageQuota.default(null),
  prices: z
    .record(z.string(), z.number().min(0))
    .default({})
    .describe('per second of video, by "model resolution" or "model"'),

  // Answers where the specification leaves a choice
  strict: switchedOff.describe(
    'refuse unknown fields (gap X11), fields that are null (X13) and a missing duration in F (F11)',
  ),
  defaultImageSize: imageSettings.defaultImageSize,
  a2Editing: image2Settings.a2Editing,
  imageBodyBytes: imageSettings.imageBodyBytes,
  videoBodyBytes: sharedSettings.videoBodyBytes,
  moderationWords: sharedSettings.moderationWords,
  requireAssets: sharedSettings.requireAssets,
  videoStatusWords: videoSettings.videoStatusWords,
  metadataUrl: videoSettings.metadataUrl,
  resultAuthorization: z
    .enum(['serve', 'refuse'])
    .default('serve')
    .describe('what a key that is sent along to a signed result URL does (X14)'),
  allowAudioOnly: sharedSettings.allowAudioOnly,
  fetchMedia: z.enum(['none', 'local', 'all']).default('local').describe('which media URLs are read (Z1)'),
  groups: assetsSettings.groups,
  callbackHosts: hostPatterns().meta(
    unrecorded('where callbacks may go besides loopback and private addresses: names, *.name or * (Z2)'),
  ),
  callbackTimeoutScale: factor
    .default(1)
    .meta(unrecorded('factor of the times in which receivers must answer, 3 s and 5 s (F8, F10)')),

  // Bounds
  maxConnections: quota(10_000).describe('connections at a time; one more is answered 503 and closed'),
  maxAccounts: quota(10_000).describe('accounts; the idle one that was called longest ago is evicted'),
  tasksPerAccount: quota(100_000).describe('tasks per account; the oldest that have ended are evicted'),
  tasksInAll: quota(100_000).describe(
    'tasks of all accounts; those that have ended are evicted, first of the account with most',
  ),
  taskBytes: bytes(512).describe(
    'all tasks together, estimated; those that have ended are evicted, first of the account with most',
  ),
  journalEntries: quota(1_000).meta(unrecorded('calls kept per account')),
  journalBytes: bytes(64).describe(
    'all journals together, estimated; the oldest calls of all accounts are evicted',
  ),
  callbackLogEntries: quota(1_000).meta(unrecorded('callbacks kept per account, and inbox messages')),
  callbacksLoggedInAll: quota(50_000).describe(
    'callbacks kept of all accounts; the oldest of the longest log go',
  ),
  callbacksAtOnce: quota(1_000).describe('callbacks on their way at a time; others wait'),
  inboxBytes: bytes(32).describe(
    'inbox messages of all accounts; the oldest of the largest inbox are evicted',
  ),
  maxScenarios: quota(100).describe('scenarios that play for an account'),
  waitsAtOnce: quota(1_000).describe('calls of /_backlot/wait that wait at a time'),
  journalBodyBytes: integer(0, 64 * 1024).meta(unrecorded('a larger request body is kept shortened')),
  media: z
    .enum(['cards', 'plain'])
    .default('cards')
    .describe(
      'what results look like: a title card for each, or one picture for all of a size; default of tests and of exec: plain',
    ),
  mediaCache: optionalText.meta(
    unrecorded(
      'folder in which rendered media are kept between runs, or none; default: within mediaFolder if that is set, else node_modules/.cache/backlot, else that of the user',
    ),
  ),
  mediaFolder: optionalText.meta(
    unrecorded('folder of rendered media and inputs; default: a temporary folder'),
  ),
  mediaDiskBytes: bytes(1024).meta(unrecorded('rendered media kept on disk')),
  mediaMemoryBytes: bytes(64).meta(unrecorded('pictures cut for rendering that are kept in memory')),
  assetImageBytes: assetsSettings.assetImageBytes,
  assetVideoBytes: assetsSettings.assetVideoBytes,
  assetAudioBytes: assetsSettings.assetAudioBytes,
  assetTotalBytes: assetsSettings.assetTotalBytes,
  maxAssets: assetsSettings.maxAssets,
  assetsInAll: assetsSettings.assetsInAll,
  uploadsAtOnce: quota(64).meta(unrecorded('uploads read at the same time, of all accounts')),
  inputBytes: bytes(1024).meta(unrecorded('inputs kept for rendering')),
  rendersAtOnce: z
    .int()
    .min(1)
    .optional()
    .meta(unrecorded('media rendered at the same time; default: one per processor, but for one')),
  rendersWaiting: quota(1_000).describe('media that wait to be rendered'),
  renderTimeoutMs: wait(60_000).meta(unrecorded('how long rendering one result may take')),
  ffmpeg: optionalText.meta(unrecorded('path of the ffmpeg to use')),

  // State
  state: optionalText.meta(unrecorded('state file, which keeps everything across restarts; default: none')),
  stateFresh: switchedOff.meta(
    unrecorded('keep a state file that cannot be read aside, and begin a new one'),
  ),
  stateTakeOver: switchedOff.meta(
    unrecorded(
      'take over a state file whose lock is held by another machine or container, so that nothing says whether that process still runs',
    ),
  ),
  stateFsync: switchedOff.meta(
    unrecorded(
      'answer only once the disk has what changed, so that a machine that loses power loses nothing either',
    ),
  ),
  stateDelayMs: z
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .meta(unrecorded('deprecated, has no effect: an answer waits until what it changed is written')),
  store: z
    .url({
      protocol: /^rediss?$/,
      error: 'a URL that begins with redis:// or rediss://, with its password percent-encoded',
      abort: true,
    })
    .refine(hasDatabaseNumber, {
      error: 'a URL with the number of a database as its path, such as redis://127.0.0.1:6379/2',
      abort: true,
    })
    .refine(
      hasNoQuery,
      'a URL without a query: TLS is rediss://, a database is the path, and ? in a password is %3F',
    )
    .refine(isPercentEncoded, 'a URL with its user and password percent-encoded: % is %25, # is %23')
    .optional()
    .meta(unrecorded('Redis or Valkey server that replicas share; default: none')),
  storePrefix: z
    .string()
    .min(1)
    .default('backlot:')
    .meta(unrecorded('prefix of the names of all keys in the store')),
  storeExpiryMs: integer(MINUTE, 7 * DAY).meta(
    unrecorded('how long the store keeps an account that is not called'),
  ),
  storeInputBytes: bytes(1024).meta(unrecorded('inputs in the store; the least recently used are evicted')),
  stateBodyBytes: bytes(256).meta(unrecorded('a state that is sent to PUT /_backlot/state')),
  maxSnapshots: quota(100).meta(unrecorded('snapshots kept in memory; the oldest is evicted')),

  // Log
  logFile: optionalText.meta(
    unrecorded('file of the log, a line of JSON for each request; - is standard output'),
  ),
  logLevel: z.enum(logLevels).default('info').meta(unrecorded('the least important lines that are logged')),
}) satisfies z.ZodType<Settings>

/** Settings as they are given, where each may be missing. */
export type SettingsInput = z.input<typeof settingsSchema>

/** Secret settings, which are never shown: each is enough to do what it protects. */
export const secretSettings: readonly string[] = [
  'controlToken',
  'signingSecret',
  'account',
  'store',
] satisfies (keyof Settings)[]

/** Whether recordings hold a setting. A name that this version does not know is kept, for `readSettings` to judge. */
export const isRecorded = (name: string): boolean =>
  !Object.hasOwn(settingsSchema.shape, name) ||
  settingsSchema.shape[name as keyof Settings].meta()?.['x-unrecorded'] !== true

/** Aliases of settings: the name that a setting had before, and the one that it has. Every source accepts both. */
export const settingAliases: ReadonlyMap<string, keyof Settings> = new Map([
  ['connectionsMost', 'maxConnections'],
  ['accountsMost', 'maxAccounts'],
  ['scenariosMost', 'maxScenarios'],
  ['assetsMost', 'maxAssets'],
  ['snapshotsMost', 'maxSnapshots'],
])

/**
 * Settings with their defaults filled in.
 * @throws EmulatorError `bad-setting`, which names every setting that is wrong or unknown
 */
export const readSettings = (written: object): Settings => {
  const given = withoutAliases(written)
  const known = Object.keys(settingsSchema.shape)
  const unknown = Object.keys(given).filter((key) => !known.includes(key))
  // Settings are read once, and few are given. To walk the schema of all of them, or to write a parser for it as zod does
  // for what it expects to read often, takes longer than all the rest of a start.
  const picked = Object.fromEntries(known.filter((key) => key in given).map((key) => [key, true]))
  const shape = settingsSchema
    .pick(picked as Record<keyof Settings, true>)
    .safeParse(given, { jitless: true })
  const wrong = suggestingRefusals(shape.error?.issues ?? [], given).map(
    // The message of a secret setting does not show the value that was found.
    ({ field, allowed, message }) =>
      secretSettings.includes(field.replace(/\W.*/, '')) ? `${field} must be ${allowed}` : message,
  )
  const problems = [...unknown.map((key) => unknownSetting(key, known)), ...wrong]
  if (shape.success && problems.length === 0) return { ...defaultSettings(), ...shape.data }
  const text = problems.join('; ')
  throw new EmulatorError(text.endsWith('?') ? text : `${text}.`, {
    code: 'bad-setting',
    hint: 'docs/settings.md lists every setting with its default.',
  })
}

/**
 * Checks that each price is of a model of videos, or of one in a resolution that it has: any other would have no effect.
 * @param videos models with their resolutions: `gamma-H3 2K`
 * @throws EmulatorError `bad-setting`, which names everything that there is not
 */
export const checkPrices = ({ prices }: Settings, videos: readonly string[]): void => {
  const known = [...new Set([...videos.map((name) => name.replace(/ .*/, '')), ...videos])]
  const unknown = Object.keys(prices).filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const names = unknown.map((name) => JSON.stringify(name)).join(', ')
  throw new EmulatorError(`prices: there are no videos of ${names}.`, {
    code: 'bad-setting',
    hint: `Possible are ${known.join(', ')}.`,
  })
}

const defaultSettings = (): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(settingsSchema.shape).flatMap(([key, field]) =>
      field instanceof z.ZodDefault ? [[key, field.def.defaultValue]] : [],
    ),
  )

/** Message about a name that is no setting, without a full stop. */
export const unknownSetting = (key: string, known: readonly string[]): string => {
  const meant = nearest(key, known)
  return `${key} is no setting${meant === undefined ? '' : `, did you mean ${meant}?`}`
}

const withoutAliases = (written: object): object =>
  Object.fromEntries(
    formerFirst(Object.entries(written))
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [settingAliases.get(name) ?? name, value]),
  )

/** Settings by name, with former names before the others, so that what has the present name of a setting wins. */
export const formerFirst = <Value>(entries: readonly (readonly [string, Value])[]) =>
  entries.toSorted(([a], [b]) => Number(settingAliases.has(b)) - Number(settingAliases.has(a)))
