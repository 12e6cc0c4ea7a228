import { type DiagnosticItem, diagnose } from '../../server/doctor/findings.js'
import type { Given } from '../command.js'
import { type Paint, paintFor } from '../output/screen/paint.js'
import { readCommandSettings } from '../settings/read.js'
import { urlOf } from '../url.js'
import { diagnoseRemote } from './findings-at.js'

/** Tries what pictures and videos are made with, or looks at an emulator that runs. Answers 0 when nothing is wrong. */
export const runDoctor = async (given: Given): Promise<number> => {
  const { url } = given.options
  return typeof url === 'string' ? examineAt(urlOf(url), given) : examineHere(given)
}

const examineHere = async ({ options }: Given): Promise<number> => {
  const sources = { folder: process.cwd(), environment: process.env, options }
  const { settings } = await readCommandSettings(sources)
  const wrong = await told(diagnose(settings), 'missing')
  process.stdout.write(wrong === 0 ? 'Pictures and videos can be made here.\n' : `${brokenText(wrong)}\n`)
  return wrong === 0 ? 0 : 1
}

const examineAt = async (url: string, { options }: Given): Promise<number> => {
  const given = options.controlToken ?? process.env.BACKLOT_CONTROL_TOKEN
  const wrong = await told(diagnoseRemote(url, typeof given === 'string' ? given : undefined), 'wrong')
  process.stdout.write(wrong === 0 ? `Nothing is wrong at ${url}.\n` : `${wrongText(wrong, url)}\n`)
  return wrong === 0 ? 0 : 1
}

/** Prints findings as they are made. Answers how many are not fine, which are called by the word. */
const told = async (found: AsyncIterable<DiagnosticItem>, word: string): Promise<number> => {
  const paint = paintFor(process.stdout, process.env)
  let wrong = 0
  for await (const finding of found) {
    process.stdout.write(lineOf(finding, word, paint))
    if (!finding.isFine) wrong += 1
  }
  return wrong
}

const lineOf = ({ isFine, what, detail, hint }: DiagnosticItem, word: string, paint: Paint): string => {
  const mark = isFine ? paint('green', 'ok     ') : paint('red', word.padEnd(7))
  return `${mark}  ${what.padEnd(9)}  ${detail}\n${hint === undefined ? '' : `         ${hint}\n`}`
}

const brokenText = (wrong: number): string =>
  `${wrong === 1 ? 'One thing is' : `${wrong} things are`} missing; everything else of the emulator works without.`

const wrongText = (wrong: number, url: string): string =>
  `${wrong === 1 ? 'One thing is' : `${wrong} things are`} wrong at ${url}.`
