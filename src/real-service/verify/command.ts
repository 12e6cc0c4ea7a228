import {
  type CliCommand,
  checkReports,
  counted,
  listOption,
  numberLike,
  type Options,
  parsedOption,
  targetOf,
  targetOption,
  textOption,
  usageError,
  warn,
  writeReport,
} from '../../command/command.js'
import { readCommandSettings, serviceOptions } from '../../command/settings/read.js'
import { exitCodeOfSignal, onFirstSignal } from '../../command/signals.js'
import { apiKey, isLoopbackHost, portOf } from '../../emulator/surface/client.js'
import { readFamilies } from '../../emulator/surface/profile.js'
import { nearest, parseDuration } from '../../emulator/surface/records.js'
import { readSettings } from '../../emulator/surface/starting.js'
import { VERIFIED_FILE } from '../../emulator/surface/verified.js'
import { severityOf } from './compare.js'
import { conclude, Pair } from './conclude.js'
import { FactsFile } from './facts.js'
import { hostHash, Ledger } from './ledger.js'
import { endLeftovers, tellOpen } from './leftovers.js'
import { Purse } from './purse.js'
import { Receiver } from './receiver.js'
import { adviceOn, conclusionLines, outcomeLines, planLines, print, summaryLines } from './report.js'
import { Service } from './service.js'
import { KeyRefused, type Outcome, Session } from './session.js'
import type { ShadowSettings } from './shadow.js'
import { type Step, stepsOf, type Tier, tiers } from './steps.js'
import { profileText } from './write-profile.js'

const EXAMPLE = 'backlot verify --target https://api.example.com --key-env VIDEO_API_KEY'

export const command: CliCommand = {
  usage: 'verify',
  description:
    'compare answers of the real service with those of the emulator, and write the differences as a profile',
  options: [
    targetOption,
    { flags: '--key-env <name>', description: 'the variable that holds the API key of the service' },
    {
      flags: '--tier <tier>',
      description: `what is asked beside free: ${tiers.slice(1).join(', ')} (repeatable)`,
      repeats: true,
    },
    { flags: '--plan', description: 'print what would be asked and the highest price, and send nothing' },
    { flags: '--budget <amount>', description: 'what creates may cost in all, by the price list' },
    { flags: '--most-creates <number>', description: 'how many creates may be sent in all' },
    { flags: '--time-limit <duration>', description: 'how long the run may take (default 15m)' },
    {
      flags: '--callback-url <url>',
      description: 'where the service reaches the receiver of this command, for the tier callback',
    },
    {
      flags: '--callback-port <number>',
      description: 'port of that receiver; default: that of a URL on loopback',
    },
    { flags: '--resume', description: 'look again at the tasks that the tier time has kept' },
    { flags: '--write-profile <file>', description: 'write the differences as a profile' },
    {
      flags: '--verified <file|none>',
      description: `where it is noted what the service was seen to answer, or none (default ${VERIFIED_FILE})`,
    },
    {
      flags: '--creates-file <file>',
      description: 'where creates are noted before they are sent; default: one for each service',
    },
    ...serviceOptions(),
  ],
  examples: [
    [EXAMPLE, 'exit code 0 when all answers agree, 1 when some do not'],
    [`${EXAMPLE} --tier creates --plan`, 'says what creates would cost'],
    [`${EXAMPLE} --tier creates --budget 5 --write-profile my-service.yaml`, 'writes a profile'],
  ],
  run: async ({ options }) => {
    const run = await readRun(options)
    const { settings } = run
    const pair = await Pair.open(settings)
    const receiver = run.plan || run.callback === undefined ? undefined : new Receiver()
    try {
      if (receiver !== undefined) await receiver.listen(run.callback?.port ?? 0)
      const { registry: base, throughProfile } = await readFamilies(readSettings(settings))
      const facts = run.plan ? undefined : await FactsFile.open(run, throughProfile)
      const callback = run.callback && { url: run.callback.url, receiver: receiver ?? new Receiver() }
      const steps = run.isResumed ? [] : await stepsOf(pair, { tiers: run.tiers, base, callback })
      if (run.plan) {
        print(...planLines(steps, run.target))
        return 0
      }
      return await verify(run, pair, steps, facts)
    } finally {
      await Promise.all([pair.stop(), receiver?.stop()])
    }
  },
}

type Run = Awaited<ReturnType<typeof readRun>>

const verify = async (
  run: Run,
  pair: Pair,
  steps: readonly Step[],
  facts: FactsFile | undefined,
): Promise<0 | 1> => {
  const service = new Service(run.target, run.key, performance.now() + run.timeLimitMs)
  const purse = new Purse(run, steps.filter(({ price }) => price !== undefined).length)
  const ledger = Ledger.read(run.createsFile)
  const listed = new Set<string>()
  const session = new Session(service, pair, purse, ledger, (outcome) =>
    print(...outcomeLines(outcome, pair.registry, listed)),
  )
  let done = 0
  const tellEnd = () => {
    ledger.close()
    if (done < steps.length)
      print(`The command ended early: ${done} of ${counted(steps.length, 'step')} were done.`)
    tellOpen(ledger)
  }
  const ignoreSignals = onFirstSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], (signal) => {
    tellEnd()
    process.exit(exitCodeOfSignal(signal))
  })
  try {
    if (run.isResumed && ledger.open.every(({ kept }) => kept === undefined))
      print(`No task is kept in ${run.createsFile}: make some with --tier time, and look at them later.`)
    await endLeftovers(session, ledger, run.isResumed)
    for (const step of steps) {
      await step.run(session)
      done += 1
    }
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error
    throw usageError(`The service refuses the API key in ${run.keyName}: it answers 401.`)
  } finally {
    ignoreSignals()
    tellEnd()
  }
  print(...summaryLines(session.outcomes, purse))
  const advice = adviceOn(run.target, session.outcomes)
  // Of what is no service no profile is made.
  if (advice === undefined) {
    await writeDifferences(run, session)
    await facts?.write(session.outcomes, pair.registry)
  } else print(advice)
  return session.outcomes.every(isFine) ? 0 : 1
}

const isFine = (outcome: Outcome): boolean =>
  outcome.verdict !== 'not-looked-at' &&
  outcome.compared.deltas.every((delta) => severityOf(delta) === 'information')

/** Says what a profile can say of the differences, and writes it where that is asked for. */
const writeDifferences = async ({ settings, profileFile, target }: Run, session: Session): Promise<void> => {
  if (session.outcomes.every(({ verdict }) => verdict !== 'differs')) return
  const { profile, changes, left } = await conclude(session.exchanges, settings)
  print(...conclusionLines(changes, left))
  if (profileFile === undefined) {
    if (changes.length > 0) print('Write it with --write-profile FILE.')
    return
  }
  const from = `by backlot verify of the service ${hostHash(target)}`
  await writeReport(profileFile, await profileText(profile, changes, from, Date.now()))
  warn(`${counted(changes.length, 'value')} written into ${profileFile}.`)
}

const readRun = async (options: Options) => {
  const { settings } = await readCommandSettings({ options })
  const target = targetOf(options)
  const isResumed = options.resume === true
  const plan = options.plan === true
  const asked = tiersIn(options, isResumed)
  await checkReports(['writeProfile', 'createsFile'], options)
  const { families, familySettings, prices, profile } = settings
  const given: ShadowSettings = { families, familySettings, prices, profile }
  return {
    target,
    plan,
    isResumed,
    settings: given,
    tiers: asked,
    keyName: textOption(options.keyEnv),
    key: plan ? '' : keyIn(textOption(options.keyEnv)),
    budget: parsedOption('--budget', options.budget, 'an amount such as 2.5', numberLike(/^\d+(\.\d+)?$/)),
    mostCreates: parsedOption(
      '--most-creates',
      options.mostCreates,
      'a whole number',
      numberLike(/^\d{1,9}$/),
    ),
    timeLimitMs: parseDuration(textOption(options.timeLimit) ?? '15m', '--time-limit'),
    callback: callbackIn(options, asked),
    profileFile: textOption(options.writeProfile),
    verifiedFile: settings.verified ?? VERIFIED_FILE,
    createsFile: textOption(options.createsFile) ?? `backlot.verify-${hostHash(target)}.jsonl`,
  }
}

const tiersIn = ({ tier }: Options, isResumed: boolean): ReadonlySet<Tier> => {
  const named = listOption(tier)
  for (const name of named)
    if (!(tiers as readonly string[]).includes(name)) {
      const meant = nearest(name, tiers)
      throw usageError(
        `--tier must be one of ${tiers.join(', ')}, found ${JSON.stringify(name)}.`,
        meant === undefined ? undefined : `Did you mean ${meant}?`,
      )
    }
  const asked = new Set<Tier>(['free', ...(named as readonly Tier[])])
  // Only what was made can be looked at later.
  if (asked.has('time') && !isResumed) asked.add('creates')
  return asked
}

/** The receiver that the options describe. @throws EmulatorError `wrong-usage` */
const callbackIn = (options: Options, asked: ReadonlySet<Tier>) => {
  const url = textOption(options.callbackUrl)
  if (url === undefined) {
    if (asked.has('callback'))
      throw usageError(
        'The tier callback wants the URL at which the service reaches this machine, found none.',
        'Name it: --callback-url https://hook.example.com/video --callback-port 8080',
      )
    return undefined
  }
  if (!asked.has('callback'))
    throw usageError('--callback-url is for the tier callback.', 'Add --tier callback.')
  if (!URL.canParse(url)) throw usageError(`--callback-url must be a URL, found ${JSON.stringify(url)}.`)
  const named = parsedOption('--callback-port', options.callbackPort, 'a port', numberLike(/^\d{1,5}$/))
  const parsed = new URL(url)
  if (named === undefined && !isLoopbackHost(parsed.hostname))
    throw usageError(
      `${parsed.host} is another machine: the port at which its calls arrive here is missing.`,
      'Name it: --callback-port 8080',
    )
  return { url, port: named ?? portOf(parsed) }
}

const keyIn = (name: string | undefined): string => {
  if (name === undefined)
    throw usageError(
      'Expected the variable that holds an API key, found none.',
      'Name it: --key-env VIDEO_API_KEY',
    )
  const key = process.env[name]
  if (apiKey.fits(key)) return key as string
  throw usageError(
    `The variable ${name}, which --key-env names, holds no API key${key ? `: it must be ${apiKey.allowed}` : ''}.`,
  )
}
