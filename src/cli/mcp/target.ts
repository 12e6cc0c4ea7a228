import { givenFlag, type Options, remoteOf, usageError, warn } from '../../command/command.js'
import { readCommandSettings, settingOptions } from '../../command/settings/read.js'
import { type ActionOutput, localTransport, remoteTransport } from '../../emulator/surface/client.js'
import { DEFAULT_KEY, EmulatorError } from '../../emulator/surface/records.js'
import { launch } from '../launch.js'
import { baseUrlsOf } from '../screen.js'
import type { ActionName } from './tool-table.js'

type Transport = ReturnType<typeof remoteTransport>
type Coverage = Awaited<ReturnType<typeof import('../../resilience/coverage/join.js').readCoverage>>

/** An emulator that tools act on: one that was started for them, or one that runs elsewhere. */
export interface Target {
  /** Where it is, and whose it is. */
  readonly place: { readonly url: string; readonly isOwn: boolean }
  /** What runs control actions for the account of a key. */
  readonly transport: (key: string) => Transport
  /** Base URLs of the service, each with the families below it. */
  readonly bases: () => Promise<readonly { readonly url: string; readonly families: string }[]>
  /**
   * Coverage of a report, or of the calls so far.
   * @throws EmulatorError `no-coverage` where the emulator runs elsewhere and no report is named; `no-such-file` or `bad-coverage`
   */
  readonly coverage: (report: string | undefined) => Promise<Coverage>
  readonly stop: () => Promise<void>
}

/** Joins the emulator that the options or `BACKLOT_URL` name, or starts one. @throws EmulatorError as `start` does, or `wrong-usage` */
export const openTarget = async (options: Options): Promise<Target> => {
  const isNamed = options.url !== undefined || (process.env.BACKLOT_URL ?? '') !== ''
  return isNamed ? joined(options) : ownTarget(options)
}

const joined = async (options: Options): Promise<Target> => {
  const flag = givenFlag(settingOptions(['--control-token']), options)
  if (flag !== undefined)
    throw usageError(
      `${flag} is for an emulator that is started here, and another one is joined.`,
      'Leave it out, or leave out --url and the variable BACKLOT_URL.',
    )
  const remote = remoteOf(options)
  const transport = (key: string) => remoteTransport(remote, key)
  // A client that is told at once that nothing answers can show it; one whose first call fails shows a tool that is broken.
  await transport(DEFAULT_KEY)('health.read', {})
  return {
    ...parts(remote.url, transport),
    place: { url: remote.url, isOwn: false },
    coverage: async (report) => {
      if (report !== undefined) return readReportFile(report)
      throw new EmulatorError('The coverage of an emulator that runs elsewhere is not known here.', {
        code: 'no-coverage',
        hint: 'Run `backlot coverage --json coverage.json -- npm test` and name that file as report.',
      })
    },
    stop: async () => {},
  }
}

const ownTarget = async (options: Options): Promise<Target> => {
  const read = await readCommandSettings({ options }, { isForTests: true })
  if (read.settings.logFile === '-')
    throw usageError('Standard output belongs to the protocol, so that the log cannot go there.', LOG_HINT)
  read.warnings.forEach(warn)
  const { followCoverage, reportOfCounted } = await import('../../resilience/coverage/follow.js')
  const launched = await launch(read.settings, { started: () => {}, stopped: () => {} }, {})
  const counted = followCoverage(launched.emulator)
  return {
    ...parts(launched.url, (key) => localTransport(launched.emulator, key)),
    place: { url: launched.url, isOwn: true },
    coverage: async (report) => (report === undefined ? reportOfCounted(counted) : readReportFile(report)),
    stop: launched.close,
  }
}

const LOG_HINT = 'Name a file: --log-file backlot.log'

const parts = (url: string, transport: Target['transport']): Pick<Target, 'transport' | 'bases'> => ({
  transport,
  bases: async () => basesIn(url, (await transport(DEFAULT_KEY)('operations.list', {})).items),
})

const basesIn = (url: string, operations: ActionOutput<Extract<ActionName, 'operations.list'>>['items']) => {
  const chapters = new Map(operations.map(({ family: id, section, title }) => [id, { id, section, title }]))
  const routes = operations.map(({ family, path }) => ({ family, route: { path } }))
  return baseUrlsOf({ operations: routes, families: [...chapters.values()] }).map(
    ({ path, chapters: below }) => ({
      url: `${url}${path}`,
      families: below.map(({ id, title }) => `${id} (${title})`).join(', '),
    }),
  )
}

const readReportFile = async (path: string): Promise<Coverage> => {
  const { readCoverage } = await import('../../resilience/coverage/join.js')
  return readCoverage(path)
}
