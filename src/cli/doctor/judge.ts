import { formatDuration } from '../../core/time/duration.js'
import type { DiagnosticItem } from '../../server/doctor/findings.js'
import type { BoundSeen, Health } from './health.js'

/** What is to be said of an emulator's health, in the order in which one would ask. */
export const diagnoseHealth = (health: Health): DiagnosticItem[] => [
  server(health),
  clock(health),
  ...bounds(health),
  ...state(health),
  callbacks(health),
  ...health.troubles.map(({ says, hint }) => wrong('trouble', says, hint)),
  errors(health),
]

const server = ({ version, uptime_ms, memoryBytes }: Health): DiagnosticItem =>
  fine(
    'server',
    `version ${version}, up for ${formatDuration(uptime_ms)}, ${Math.round(memoryBytes / 2 ** 20)} MiB of memory`,
  )

const clock = ({ clock: { mode, speed, now } }: Health): DiagnosticItem =>
  fine('clock', `${mode}${mode === 'live' && speed !== 1 ? ` at ${speed} times the speed` : ''}, ${now}`)

const bounds = ({ bounds: all }: Health): DiagnosticItem[] => {
  const told = all.filter(({ per }) => per !== 'call').flatMap(aboutBound)
  return told.length > 0 ? told : [fine('bounds', 'none of them was met, and none is near')]
}

const NEAR = 0.9

const aboutBound = (bound: BoundSeen): DiagnosticItem[] => {
  const { of, settings, most, size, hits, refused, kind, atBound } = bound
  const stands = `${of}: ${size ?? 0} of ${most}`
  const raise = `Raise the setting ${settings[0]}, or reset accounts that nobody needs.`
  if (refused > 0) return [wrong('bound', `${stands}, and ${times(refused)} somebody was refused`, raise)]
  if (kind === 'refuses' && (size ?? 0) >= NEAR * most)
    return [wrong('bound', `${stands}, which is near; then ${atBound}`, raise)]
  return hits > 0 ? [fine('bound', `${stands}, met ${times(hits)}: ${atBound}`)] : []
}

// Where it cannot be written there is a trouble that says why.
const state = ({ stateFile, troubles }: Health): DiagnosticItem[] => {
  if (stateFile === null || troubles.some(({ need }) => need === 'state')) return []
  return [fine('state', `what happens is written into ${stateFile}`)]
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)

const callbacks = ({ callbacks: { delivered = 0, failed = 0, skipped = 0 } }: Health): DiagnosticItem =>
  failed + skipped === 0
    ? fine('callbacks', delivered === 0 ? 'none was sent so far' : `${delivered} delivered, none failed`)
    : wrong(
        'callbacks',
        `${delivered} delivered, ${failed} failed, ${skipped} not sent`,
        'GET /_backlot/callbacks says of each what the receiver answered.',
      )

const errors = ({ errors: count, logFile }: Health): DiagnosticItem =>
  count === 0
    ? fine('errors', 'the emulator itself had none')
    : wrong(
        'errors',
        `the emulator itself had ${count}`,
        logFile === null
          ? 'Start it with --log-file, which has them with their places.'
          : `The log ${logFile} has them.`,
      )

const fine = (what: string, detail: string): DiagnosticItem => ({ what, isFine: true, detail })

const wrong = (what: string, detail: string, hint: string): DiagnosticItem => ({
  what,
  isFine: false,
  detail,
  ...(hint === '' ? {} : { hint }),
})
