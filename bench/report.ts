import { mkdir, writeFile } from 'node:fs/promises'

/** One figure: what was measured, in which unit, and what it should be. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Said of the value: `at least 0.8`. Left out where there is no aim. */
  readonly aim?: { readonly at: 'least' | 'most'; readonly value: number }
}

const meets = ({ value, aim }: Figure): string => {
  if (aim === undefined) return ''
  const isMet = aim.at === 'least' ? value >= aim.value : value <= aim.value
  return `${isMet ? 'meets' : 'MISSES'} at ${aim.at} ${aim.value}`
}

export const print = (figure: Figure): void => {
  const value = figure.value >= 100 ? figure.value.toFixed(0) : figure.value.toFixed(2)
  console.log(`${figure.name.padEnd(64)} ${value.padStart(10)} ${figure.unit.padEnd(12)} ${meets(figure)}`)
}

/** Writes all figures as JSON beside the benchmark. */
export const save = async (figures: readonly Figure[]): Promise<string> => {
  const folder = new URL('./results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  const file = new URL('latest.json', folder)
  await writeFile(
    file,
    `${JSON.stringify({ node: process.version, platform: process.platform, figures }, null, 2)}\n`,
  )
  return file.pathname
}
