import type { Events } from '../../../core/events.js'
import { redactedText } from '../../../core/journal/redact.js'
import { callbackFacts } from '../callback-facts.js'
import { problemMessage } from '../problem-message.js'
import type { Paint } from './paint.js'

/** `09:15:02Z  POST /v1/videos  200  c-video.create  cgt-…`, with the reason where the call was refused. */
export const requestLine = (entry: Events['request'][0], paint: Paint): string => {
  const { method, status, operation, task, account } = entry
  const problem = problemMessage(entry)
  return row(
    paint('dim', timeOf(entry.at)),
    `${method.padEnd(4)} ${clean(redactedText(entry.path, account), 160)}`,
    paint(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status)),
    operation ?? 'no such operation',
    task === undefined ? '' : clean(task, 80),
    problem === undefined ? '' : paint('yellow', clean(problem, 400)),
  )
}

/** `09:15:03Z  task cgt-…  running  videoa-2-0-260128`; a callback with its receiver and what that answered. */
export const happeningLine = (happening: Events['happening'][0], paint: Paint): string => {
  const { at, kind, id, detail, task, callback } = happening
  const more = callback === undefined ? [task?.model ?? ''] : callbackCells(callback)
  return row(
    paint('dim', timeOf(at)),
    `${kind} ${clean(id, 80)}`,
    paint(colourOf(detail), clean(detail, 80)),
    ...more.filter((cell) => cell !== '').map((cell) => paint('dim', clean(cell, 300))),
  )
}

/** `A bound was met: …`, with how often where it was not the first time. */
export const boundLine = ({ says, hits }: Events['bound'][0], paint: Paint): string =>
  paint('yellow', `${says}${hits === 1 ? '' : ` (${hits} times)`}`)

const callbackCells = (callback: NonNullable<Events['happening'][0]['callback']>): string[] => {
  const { about, url, attempts, answer, reason } = callbackFacts(callback)
  return [`${about} to ${url}`, attempts > 1 ? `attempt ${attempts}` : '', reason ?? String(answer ?? '')]
}

const good = ['succeeded', 'passed', 'delivered', 'ready']
const bad = ['failed', 'skipped', 'expired']

const colourOf = (detail: string) => (good.includes(detail) ? 'green' : bad.includes(detail) ? 'red' : 'cyan')

const row = (...cells: string[]): string => cells.filter((cell) => cell !== '').join('  ')

// The account's clock in UTC, since that is what ids, answers and the journal go by.
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(11, 19)}Z`

// What clients send must not steer the terminal.
const clean = (text: string, most: number): string => {
  const shown = text.replace(/\p{Cc}/gu, '�')
  return shown.length > most ? `${shown.slice(0, most)}…` : shown
}
