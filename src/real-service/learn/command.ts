import { basename, extname } from 'node:path'
import {
  type CliCommand,
  counted,
  printDocument,
  textOption,
  warn,
  writeReport,
} from '../../command/command.js'
import { readCommandSettings, serviceOptions } from '../../command/settings/read.js'
import { readText } from '../../command/settings/sources.js'
import { isRecord, mapTexts, parseJson } from '../../emulator/surface/journal.js'
import { readFamilies } from '../../emulator/surface/profile.js'
import { EmulatorError } from '../../emulator/surface/records.js'
import type { Registry } from '../../emulator/surface/registry.js'
import { harSchema, isHar } from '../../traffic/har.js'
import { parseRecording } from '../../traffic/parse.js'
import type { MayKeep } from '../verify/answers.js'
import { type Change, withChange } from '../verify/changes.js'
import { conclude } from '../verify/conclude.js'
import type { Exchange } from '../verify/exchange.js'
import { deltaText } from '../verify/report.js'
import type { ShadowSettings } from '../verify/shadow.js'
import { profileText } from '../verify/write-profile.js'
import { foreignRoutes } from './foreign.js'
import { timingChanges } from './times.js'
import { type Traffic, trafficInHar, trafficInRecording } from './traffic.js'

export const command: CliCommand = {
  usage: 'learn <files...>',
  description: 'make a profile of recorded traffic: what the service answers otherwise than the emulator',
  options: [
    { flags: '-o, --output <file>', description: 'the file to write; default: standard output' },
    ...serviceOptions(),
  ],
  examples: [
    ['backlot learn recording.har', 'prints a profile of what `backlot record` or a browser has seen'],
    ['backlot learn monday.har tuesday.har -o my-service.yaml', 'of several files'],
  ],
  // Resolves with 0, or with 1 where the traffic shows nothing that a profile says.
  run: async ({ options, operands }) => {
    const { settings } = await readCommandSettings({ options })
    const { families, familySettings, prices, profile } = settings
    const given: ShadowSettings = { families, familySettings, prices, profile }
    const { throughProfile } = await readFamilies(settings)
    const { registry } = await throughProfile()
    const traffic = await trafficIn(operands, registry)
    if (traffic.exchanges.length === 0) {
      warn(`${operands.join(' and ')} ${operands.length === 1 ? 'holds' : 'hold'} no calls of the service.`)
      return 1
    }
    const mayKeep = keeperOf(traffic.exchanges, registry)
    const { changes, left } = await conclude(traffic.exchanges, given, mayKeep)
    const kept = [...changes.filter(({ value }) => isKept(value, mayKeep)), ...timingChanges(left, registry)]
    const routes = foreignRoutes(traffic.foreign, mayKeep)
    const open = left.flatMap(({ exchange, deltas }) =>
      deltas.filter(({ kind }) => kind !== 'sentence').map((delta) => ({ exchange, delta })),
    )
    for (const { exchange, delta } of open.slice(0, MAX_TOLD))
      warn(`Left aside: ${exchange.says}: ${deltaText(delta)}.`)
    if (open.length > MAX_TOLD)
      warn(`And ${open.length - MAX_TOLD} more that contradict others, or that no profile can say.`)
    if (kept.length + routes.length === 0) {
      warn(`${counted(traffic.exchanges.length, 'call')}: nothing that a profile would say.`)
      return 1
    }
    const document = kept.reduce(
      withChange,
      routes.length === 0 ? {} : { routes: routes.map(({ route }) => route) },
    )
    const from = `by backlot learn of ${counted(traffic.exchanges.length, 'call')} in ${operands.map((file) => basename(file)).join(', ')}`
    const text = await profileText(document, kept, from, Date.now())
    const output = textOption(options.output)
    if (output === undefined) await printDocument(text)
    else {
      await writeReport(output, text)
      warn(`${counted(kept.length + routes.length, 'value')} written into ${output}.`)
    }
    return 0
  },
}

const MAX_TOLD = 20

const trafficIn = async (files: readonly string[], registry: Registry): Promise<Traffic> => {
  const parts = await Promise.all(files.map((file) => trafficOf(file, registry)))
  const exchanges = parts.flatMap((part) => part.exchanges)
  return {
    exchanges: exchanges.map((exchange, index) => ({
      ...exchange,
      says: exchange.says.replace(/^call \d+/, `call ${index + 1}`),
    })),
    foreign: parts.flatMap(({ foreign }) => foreign),
  }
}

/** @throws EmulatorError `no-such-file` or `bad-recording` */
const trafficOf = async (file: string, registry: Registry): Promise<Traffic> => {
  const text = await readText(file)
  const archive = parseJson(text)
  if (!isHar(archive) && extname(file).toLowerCase() !== '.har')
    return trafficInRecording(parseRecording(text, basename(file)), registry)
  const shape = harSchema.safeParse(archive)
  if (shape.success && isRecord(archive)) return trafficInHar(shape.data.log.entries, registry)
  throw new EmulatorError(`${file} is no HTTP archive that can be read.`, {
    code: 'bad-recording',
    hint: 'It must be a JSON object that holds log.entries.',
  })
}

/** What texts of answers may stand in a profile: none that a client has sent, and none that quotes one. Models are no secret. */
const keeperOf = (exchanges: readonly Exchange[], registry: Registry): MayKeep => {
  const sent = new Set<string>()
  for (const { json, path } of exchanges) {
    mapTexts(json, (text, name) => {
      if (name !== 'model' && text.length >= SHORTEST) sent.add(text.toLowerCase())
      return text
    })
    for (const step of path.split(/[/?&=]/))
      if (/\d/.test(step) && step.length >= SHORTEST) sent.add(step.toLowerCase())
  }
  const public_ = new Set(
    registry.families.flatMap(({ facts }) => Object.values(facts?.models ?? {}).flatMap(wordsOf)),
  )
  return (text) => {
    const own = text.toLowerCase()
    if (public_.has(text)) return true
    return ![...sent].some((word) => own === word || (/\s/.test(text) && own.includes(word)))
  }
}

/** The shortest text that can be a client's own. */
const SHORTEST = 4

/** Words of the specification that clients send: sizes and ratios. */
const wordsOf = (model: { readonly sizes?: object; readonly ratios?: readonly string[] }): string[] => [
  ...Object.keys(model.sizes ?? {}),
  ...(model.ratios ?? []),
]

const isKept = (value: Change['value'], mayKeep: MayKeep): boolean => {
  let isFine = true
  mapTexts(value, (text) => {
    if (!mayKeep(text)) isFine = false
    return text
  })
  return isFine
}
