import { execFileSync } from 'node:child_process'
import { median } from './measure.js'
import type { Figure } from './report.js'

const ROUNDS = 15

/** Milliseconds that an import takes in a process that has imported nothing yet. */
const importMs = (specifier: string): number => {
  const code = `const start = performance.now(); await import('${specifier}'); console.log(performance.now() - start)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }))
}

/** What a test file waits for before its first line: importing the package, against importing express. */
export const importing = async (): Promise<Figure[]> => {
  const ratios = Array.from({ length: ROUNDS }, () => importMs('./dist/index.js') / importMs('express'))
  return [
    {
      name: 'importing the package',
      value: median(ratios),
      unit: 'x importing express',
      aim: { at: 'most', value: 1.5 },
    },
  ]
}
