import { rename, rm, stat } from 'node:fs/promises'
import { checkCommand, envOption, filled, readTemplates, runCommand } from '../command/child-process.js'
import {
  type CliCommand,
  type CliOption,
  checkReports,
  checkWritable,
  counted,
  givenFlag,
  jsonText,
  numberLike,
  type Options,
  parsedOption,
  targetOf,
  targetOption,
  textOption,
  usageError,
  warn,
  writeReport,
} from '../command/command.js'
import { readCommandSettings, serviceOptions } from '../command/settings/read.js'
import { proxyExemption } from '../emulator/surface/client.js'
import { freeName } from '../emulator/surface/persistence.js'
import { listen, openEmulator } from '../emulator/surface/starting.js'
import { startRecordingProxy } from './recording-proxy.js'
import { Spy } from './spy.js'
import { compareAll, conclude } from './verify/conclude.js'
import { outcomeLines, print } from './verify/report.js'
import { profileText } from './verify/write-profile.js'

const EXAMPLE =
  'backlot record --target https://api.example.com --env "VIDEO_API_BASE={url}/provB/api/v3" -- npm test'

export const command: CliCommand = {
  usage: 'record [command...]',
  description:
    'run a command with the real service behind a proxy, and write its calls and their answers into a HAR file',
  options: [
    targetOption,
    { flags: '-o, --output <file>', description: 'the file to write; default: recording.har' },
    envOption,
    {
      flags: '--spy',
      description: 'let the emulator answer, ask the service in the background, and list the differences',
    },
    {
      flags: '--most-creates <number>',
      description: 'with --spy: creates that are made at the service (default 0)',
    },
    { flags: '--write-profile <file>', description: 'with --spy: write the differences as a profile' },
    ...serviceOptions(),
  ],
  examples: [
    [EXAMPLE, 'writes recording.har'],
    ['backlot scenario-from recording.har -o bad-day.yaml --test', 'makes a scenario of what went wrong'],
  ],
  passesOptionsOn: true,
  // Resolves with the exit code of the command that it runs.
  run: async ({ options, operands }) => {
    checkCommand('record', operands, EXAMPLE)
    const target = targetOf(options)
    const output = textOption(options.output) ?? 'recording.har'
    const templates = readTemplates(options.env)
    if (templates.size === 0)
      throw usageError(
        '`backlot record` wants a variable by which the command finds the service, found none.',
        'For example --env "VIDEO_API_BASE={url}/provB/api/v3".',
      )
    if (options.spy === true) return spyOn(target, operands, templates, options)
    const alone = givenFlag(spyOptions, options)
    if (alone !== undefined) throw usageError(`${alone} is for --spy.`, 'Add --spy.')
    await checkWritable(output)
    const proxy = await startRecordingProxy(target, (moved) =>
      warn(
        `The service redirects calls to ${moved}, where they do not pass through the proxy: name it as --target.`,
      ),
    )
    try {
      const environment = { ...proxyExemption(proxy.url, process.env), ...filled(templates, proxy) }
      return (await runCommand(operands, { ...process.env, ...environment })).code
    } finally {
      const archive = await proxy.stop()
      const { length } = archive.log.entries
      if (length > 0) {
        await keepEarlier(output)
        // URLs and bodies of the service can hold credentials.
        await writeReport(output, jsonText(archive), 0o600)
        warn(`${counted(length, 'call')} of ${target} written into ${output}.`)
      } else {
        const names = [...templates.keys()].join(' and ')
        warn(
          `No call came, so ${output} is not written. The command has the address of the proxy in ${names}.`,
        )
      }
    }
  },
}

/** Runs a command with an emulator, whose calls the service is asked too. Resolves with the exit code of the command, or 1. */
const spyOn = async (
  target: string,
  operands: readonly string[],
  templates: ReturnType<typeof readTemplates>,
  options: Options,
): Promise<number> => {
  await checkReports(['writeProfile'], options)
  const { settings } = await readCommandSettings({ options }, { isForTests: true })
  const most =
    parsedOption('--most-creates', options.mostCreates, 'a whole number', numberLike(/^\d{1,9}$/)) ?? 0
  const emulator = await openEmulator(settings)
  const { url, close } = await listen(emulator)
  const spy = new Spy(target, emulator.registry, most)
  const proxy = await startRecordingProxy(
    url,
    () => {},
    (passed) => spy.see(passed),
  )
  let code: number
  try {
    const environment = { ...proxyExemption(proxy.url, process.env), ...filled(templates, proxy) }
    code = (await runCommand(operands, { ...process.env, ...environment })).code
  } finally {
    await proxy.stop()
    await spy.end()
    await close()
  }
  const { families, familySettings, prices, profile } = settings
  const given = { families, familySettings, prices, profile }
  const { compared } = await compareAll(spy.exchanges, given)
  const differing = compared.filter(({ deltas }) => deltas.length > 0)
  const listed = new Set<string>()
  for (const one of compared)
    print(
      ...outcomeLines(
        { verdict: one.deltas.length === 0 ? 'same' : 'differs', compared: one },
        emulator.registry,
        listed,
      ),
    )
  for (const { says, reason } of spy.unasked)
    print(...outcomeLines({ verdict: 'not-looked-at', says, reason }, emulator.registry, listed))
  print(
    `${counted(spy.exchanges.length, 'call')} asked of ${target}: ${counted(differing.length, 'answer')} ${differing.length === 1 ? 'differs' : 'differ'}.`,
  )
  const file = textOption(options.writeProfile)
  if (file !== undefined && differing.length > 0) {
    const { profile: document, changes } = await conclude(spy.exchanges, given)
    await writeReport(file, await profileText(document, changes, 'by backlot record --spy', Date.now()))
    warn(`${counted(changes.length, 'value')} written into ${file}.`)
  }
  return code
}

const spyOptions: readonly CliOption[] = [
  { flags: '--most-creates <number>', description: '' },
  { flags: '--write-profile <file>', description: '' },
]

const keepEarlier = async (file: string): Promise<void> => {
  const earlier = await stat(file).catch(() => undefined)
  if (!earlier?.isFile()) return
  // Others could read a file that was made for it.
  if (earlier.size === 0) return rm(file)
  const kept = await freeName(`${file}.old`)
  await rename(file, kept)
  warn(`${file} was there already; it is kept as ${kept}.`)
}
