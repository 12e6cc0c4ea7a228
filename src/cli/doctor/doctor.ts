import type { Given } from '../command.js'
import { paintFor } from '../output/screen/paint.js'
import { readCommandSettings } from '../settings/read.js'
import { type Finding, findings } from './findings.js'

/** Tries what pictures and videos are made with. Answers 0 when all of it works. */
export const runDoctor = async ({ options }: Given): Promise<number> => {
  const sources = { folder: process.cwd(), environment: process.env, options }
  const { settings } = await readCommandSettings(sources)
  const paint = paintFor(process.stdout, process.env)
  let failed = 0
  for await (const finding of findings(settings)) {
    const mark = finding.isFine ? paint('green', 'ok     ') : paint('red', 'missing')
    process.stdout.write(`${mark}  ${finding.what.padEnd(8)}  ${finding.detail}\n${hintOf(finding)}`)
    if (!finding.isFine) failed += 1
  }
  process.stdout.write(failed === 0 ? 'Pictures and videos can be made here.\n' : `${brokenText(failed)}\n`)
  return failed === 0 ? 0 : 1
}

const hintOf = ({ hint }: Finding): string => (hint === undefined ? '' : `         ${hint}\n`)

const brokenText = (failed: number): string =>
  `${failed === 1 ? 'One thing is' : `${failed} things are`} missing; everything else of the emulator works without.`
