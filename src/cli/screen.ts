import type { Started } from '../command/child-process.js'
import { clean, counted, type Paint, paintFor } from '../command/command.js'
import { isLoopbackHost } from '../emulator/surface/client.js'
import { answerText, connectionOutcomeOf, PAGE_PATH, redaction } from '../emulator/surface/journal.js'
import { callbackFacts, type Events, version } from '../emulator/surface/records.js'
import { builtIn, type Registry } from '../emulator/surface/registry.js'
import { nearestRoute } from '../emulator/surface/scenarios.js'
import { VERIFIED_FILE } from '../emulator/surface/verified.js'
import { type Print, problemMessage, type Reporter, withoutSecrets } from './reporter.js'

/** Terminal reporter: a start-up screen, then a line for everything that happens. */
export const screen = (print: Print, paint = paintFor()): Reporter => {
  let registry = builtIn
  return {
    started: (started) => {
      registry = started.emulator.registry
      print(startScreen(started, paint))
    },
    events: {
      request: (entry) => print(requestLine(entry, paint, registry)),
      // A turn later: what a call causes at once happens before its answer, and has to be printed below its line.
      happening: (happening) => void setImmediate(print, happeningLine(happening, paint)),
      quota: (hit) => print(quotaLine(hit, paint)),
      scenario: ({ says, isPlayed }) => print(paint(isPlayed ? 'cyan' : 'red', says)),
      profile: ({ says, isInForce }) => print(paint(isInForce ? 'cyan' : 'red', says)),
      preflight: ({ says }) => print(paint('yellow', clean(says, 600))),
      refused: ({ status, message }) => print(paint('yellow', clean(`${status}  ${message}`, 600))),
    },
    stopped: () => print('Stopped.'),
  }
}

/** Quiet reporter: the URL alone, and the control token where one was made. */
export const quietScreen = (print: Print): Reporter => ({
  started: ({ url, emulator }) => {
    print(url)
    tokenLines(emulator).forEach(print)
  },
  stopped: () => {},
})

const startScreen = (started: Started, paint: Paint): string =>
  [
    `${paint('bold', 'Backlot')} ${version} is ready at ${paint(['bold', 'cyan'], started.url)}`,
    ...facts(started),
    `Its page is at ${paint('cyan', pageUrl(started))}`,
    '',
    ...baseUrlLines(started, paint),
    '',
    'A picture to begin with:',
    '',
    curl(started),
    '',
    'Its answer holds a URL beside "image". Open it in a browser, or save the picture: curl -o picture.png "URL"',
    paint(
      'dim',
      `The control API is at ${started.url}/_backlot. What happens is listed below; Ctrl-C stops.`,
    ),
    '',
  ].join('\n')

/** Address of the page, with the control token where one was made: the page keeps it for its tab. */
const pageUrl = ({ url, emulator }: Started): string =>
  `${url}${PAGE_PATH}${emulator.madeToken === undefined ? '' : `#token=${emulator.madeToken}`}`

const facts = ({ url, emulator }: Started): string[] => {
  const { clock, speed, timing, seed, publicUrl, tlsCert, account } = emulator.settings
  const pace = clock === 'live' && speed !== 1 ? ` at ${speed} times the speed` : ''
  return [
    `Clock ${clock}${pace}, timing ${timing}, seed ${seed}; ${account.length === 0 ? 'every API key is an account' : counted(account.length, 'account')}.`,
    ...(tlsCert === undefined ? [] : [`It answers at ${url.replace('http:', 'https:')} as well.`]),
    ...(publicUrl === undefined ? [] : [`Result URLs begin with ${publicUrl}`]),
    ...emulator.scenarios.given.map(
      ({ name, steps }) =>
        `Scenario ${name} plays (${steps.length === 1 ? 'one step' : `${steps.length} steps`}).`,
    ),
    ...(emulator.verified === undefined
      ? []
      : [`What the real service was seen to answer is in ${emulator.settings.verified ?? VERIFIED_FILE}.`]),
    ...tokenLines(emulator),
  ]
}

/** Line with the control token that was made; no line where none was. */
export const tokenLines = ({ settings: { host }, madeToken: token }: Started['emulator']): string[] => {
  const listening = isLoopbackHost(host)
    ? 'Replicas of the store have a control token'
    : `Listening beyond this machine (${host})`
  return token === undefined ? [] : [`${listening}, so the control API asks for X-Backlot-Token: ${token}`]
}

const baseUrlLines = ({ url, emulator: { registry } }: Started, paint: Paint): string[] => {
  const bases = baseUrlsOf(registry)
  const width = Math.max(...bases.map(({ path }) => path.length))
  return bases.map(({ path, chapters }) => {
    const titles = chapters.map(({ section, title }) => `${section} ${title}`).join('; ')
    return `  ${url}${path.padEnd(width)}  ${paint('dim', titles)}`
  })
}

// Keys of the setting `account` are not printed.
const curl = ({ url, emulator }: Started): string => {
  const samples = emulator.registry.families.flatMap(({ sample }) => sample ?? [])
  const { path, body } = samples[0] ?? { path: '', body: {} }
  const key = emulator.settings.account.length === 0 ? 'any-key' : 'YOUR-KEY'
  const isWindows = process.platform === 'win32'
  // cmd.exe knows neither single quotes nor a backslash at the end of a line.
  const quoted = (text: string) => (isWindows ? JSON.stringify(text) : `'${text}'`)
  return [
    `curl -s ${url}${path}`,
    `  -H ${quoted(`Authorization: Bearer ${key}`)} -H ${quoted('Content-Type: application/json')}`,
    `  -d ${quoted(JSON.stringify(body))}`,
  ].join(isWindows ? '' : ' \\\n')
}

/** `09:15:02Z  POST /v1/videos  200  c-video.create  cgt-…`, with the reason where the call was refused. */
export const requestLine = (entry: Events['request'][0], paint: Paint, { operations } = builtIn): string => {
  const { method, status, operation, task, account } = entry
  const problem = problemMessage(entry)
  const meant = operation === undefined ? nearestRoute(entry, operations) : undefined
  const step = entry.played?.step
  return row(
    paint('dim', timeOf(entry.at)),
    `${method.padEnd(4)} ${clean(redaction.text(entry.path, account), 160)}`,
    paint(
      entry.answered?.broken !== undefined || status >= 500 ? 'red' : status < 400 ? 'green' : 'yellow',
      answerText(status, connectionOutcomeOf(entry)),
    ),
    operation ?? `no such operation${meant === undefined ? '' : `, did you mean ${meant}?`}`,
    task === undefined ? '' : clean(task, 80),
    problem === undefined ? '' : paint('yellow', clean(problem, 400)),
    step === undefined ? '' : `step ${step.step} of ${step.scenario}`,
  )
}

/** `09:15:03Z  task cgt-…  running  videoa-2-0-260128`; a callback with its receiver and the receiver's answer. */
export const happeningLine = (happening: Events['happening'][0], paint: Paint): string => {
  const { at, kind, id, detail, account, task, callback } = happening
  const more = callback === undefined ? [task?.model ?? ''] : callbackCells(callback, account)
  return row(
    paint('dim', timeOf(at)),
    `${kind} ${clean(id, 80)}`,
    paint(colourOf(detail), clean(detail, 80)),
    ...more.filter((cell) => cell !== '').map((cell) => paint('dim', clean(cell, 300))),
  )
}

/** `A limit was reached: …`, with how often when it was not the first time. */
const quotaLine = ({ says, hits }: Events['quota'][0], paint: Paint): string =>
  paint('yellow', `${says}${hits === 1 ? '' : ` (${hits} times)`}`)

const callbackCells = (
  callback: NonNullable<Events['happening'][0]['callback']>,
  account: string,
): string[] => {
  const { about, attempts, answer, reason } = callbackFacts(callback, account)
  const receiver = withoutSecrets(callback.url)
  return [
    `${about} to ${receiver}`,
    attempts > 1 ? `attempt ${attempts}` : '',
    reason ?? String(answer ?? ''),
  ]
}

const good = ['succeeded', 'passed', 'delivered', 'ready']
const bad = ['failed', 'skipped', 'expired']

const colourOf = (detail: string) => (good.includes(detail) ? 'green' : bad.includes(detail) ? 'red' : 'cyan')

const row = (...cells: string[]): string => cells.filter((cell) => cell !== '').join('  ')

// The account's clock in UTC, since that is what ids, answers and the journal go by.
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(11, 19)}Z`

/** What is used of the families of an emulator, which need not be of this process. */
interface RoutesOfFamilies {
  readonly operations: readonly { readonly family: string; readonly route: { readonly path: string } }[]
  readonly families: readonly Pick<Registry['families'][number], 'id' | 'section' | 'title'>[]
}

/**
 * Base URLs of the service, which clients are configured with: routes up to their version, such as `/provB/api/v3`, each once,
 * with the chapters below it in the order of the specification.
 */
export const baseUrlsOf = ({ operations, families }: RoutesOfFamilies) => {
  const inOrder = families.toSorted((a, b) => (a.section < b.section ? -1 : 1))
  const paths = new Set(operations.map(({ route }) => basePathOf(route.path)))
  return [...paths].map((path) => {
    const here = operations.filter(({ route }) => basePathOf(route.path) === path)
    return { path, chapters: inOrder.filter(({ id }) => here.some(({ family }) => family === id)) }
  })
}

const basePathOf = (path: string): string => /^.*?\/v\d+(?=\/)/.exec(path)?.[0] ?? path
