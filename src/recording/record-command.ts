import { rename, rm, stat } from 'node:fs/promises'
import { checkCommand, envOption, filled, readTemplates, runCommand } from '../command/child-process.js'
import {
  type CliCommand,
  checkWritable,
  counted,
  jsonText,
  targetOf,
  targetOption,
  textOption,
  usageError,
  warn,
  writeReport,
} from '../command/command.js'
import { proxyExemption } from '../emulator/surface/client.js'
import { freeName } from '../emulator/surface/persistence.js'
import { startRecordingProxy } from './recording-proxy.js'

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

const keepEarlier = async (file: string): Promise<void> => {
  const earlier = await stat(file).catch(() => undefined)
  if (!earlier?.isFile()) return
  // Others could read a file that was made for it.
  if (earlier.size === 0) return rm(file)
  const kept = await freeName(`${file}.old`)
  await rename(file, kept)
  warn(`${file} was there already; it is kept as ${kept}.`)
}
