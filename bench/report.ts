import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

/** One figure: what was measured, in which unit, and what it should be. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Said of the value: `at least 0.8`. Left out where there is no aim. */
  readonly aim?: { readonly at: 'least' | 'most'; readonly value: number }
}

/** Milliseconds that should not become more. */
export const atMostMs = (name: string, value: number, most: number): Figure => ({
  name,
  value,
  unit: 'ms',
  aim: { at: 'most', value: most },
})

const meets = ({ value, aim }: Figure): string => {
  if (aim === undefined) return ''
  const isMet = aim.at === 'least' ? value >= aim.value : value <= aim.value
  return `${isMet ? 'meets' : 'MISSES'} at ${aim.at} ${aim.value}`
}

/** A value as a person reads it. */
const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))

export const print = (figure: Figure): void => {
  const value = shown(figure.value).padStart(10)
  console.log(`${figure.name.padEnd(64)} ${value} ${figure.unit.padEnd(12)} ${meets(figure)}`)
}

/** The figures of each part, as they were measured last. */
export interface Results {
  readonly node: string
  readonly platform: string
  readonly processors: number
  readonly parts: Readonly<Record<string, readonly Figure[]>>
}

const FILE = new URL('./results/latest.json', import.meta.url)

const savedBefore = (): Promise<Partial<Results>> =>
  readFile(FILE, 'utf8').then(
    (text) => JSON.parse(text) as Partial<Results>,
    () => ({}),
  )

/** Writes figures as JSON beside the benchmark, where those of other parts stay as they were; all of them. */
export const save = async (parts: Results['parts']): Promise<Results> => {
  const results: Results = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processors: availableParallelism(),
    parts: { ...(await savedBefore()).parts, ...parts },
  }
  await mkdir(new URL('.', FILE), { recursive: true })
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`)
  return results
}

/** The figures as a page of the documentation. */
export const asPage = ({ node, platform, processors, parts }: Results): string => {
  const rowOf = ({ name, value, unit, aim }: Figure) =>
    `| ${name} | ${shown(value)} ${unit} | ${aim ? `at ${aim.at} ${aim.value}` : ''} |`
  const tables = Object.entries(parts).map(([part, figures]) =>
    [`## ${part}`, '', '| What | Measured | Wanted |', '|---|---:|---:|', ...figures.map(rowOf)].join('\n'),
  )
  const head = [
    '# Figures',
    '',
    'Written by `npm run bench -- --page`; `npm run bench -- PART …` measures again what is under one heading. The files in',
    '`bench/` say how each is measured: ratios are taken against a yardstick that runs beside it, since machines differ.',
    '',
    `Measured with Node ${node.slice(1)} on ${platform}, ${processors} processors.`,
  ]
  return `${[head.join('\n'), ...tables].join('\n\n')}\n`
}
