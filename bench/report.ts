import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'

/** What a value should be: a number, or so many times what another column has. */
export interface Aim {
  readonly column: string
  readonly at: 'least' | 'most'
  readonly value: number
  readonly times?: string
}

/** One row of a table: the emulator's value, and those of its peers or of other counts beside it. */
export interface Row {
  readonly name: string
  readonly unit: string
  readonly values: Readonly<Record<string, number>>
  readonly aims: readonly Aim[]
}

export interface Table {
  readonly title: string
  /** How often it was measured, in a sentence; undefined: the title says it, or the files do. */
  readonly note?: string
  readonly rows: readonly Row[]
}

/** The column of the emulator where others stand beside it. */
export const OURS = 'Backlot'

export const atMost = (
  value: number,
  { column = OURS, times }: { column?: string; times?: string } = {},
): Aim => ({
  column,
  at: 'most',
  value,
  ...(times !== undefined && { times }),
})

export const atLeast = (value: number, times?: string): Aim => ({
  column: OURS,
  at: 'least',
  value,
  ...(times !== undefined && { times }),
})

/** Row with one value, or with one for each column. */
export const row = (
  name: string,
  unit: string,
  values: number | Readonly<Record<string, number>>,
  ...aims: readonly Aim[]
): Row => ({ name, unit, values: typeof values === 'number' ? { [OURS]: values } : values, aims })

const shown = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))

const aimText = ({ column, at, value, times }: Aim): string =>
  `${column === OURS ? '' : `${column}: `}at ${at} ${shown(value)}${times === undefined ? '' : ` × ${times}`}`

/** Whether an aim is met; undefined where one of the values was not measured. */
const isMet = ({ values }: Row, { column, at, value, times }: Aim): boolean | undefined => {
  const [measured, limit] = [
    values[column],
    value * (times === undefined ? 1 : (values[times] ?? Number.NaN)),
  ]
  if (measured === undefined || Number.isNaN(limit)) return undefined
  return at === 'least' ? measured >= limit : measured <= limit
}

const missedOf = (row: Row): readonly Aim[] => row.aims.filter((aim) => isMet(row, aim) === false)

export const print = ({ title, rows }: Table): void => {
  console.log(`\n${title}`)
  for (const row of rows) {
    const values = Object.entries(row.values).map(([column, value]) => `${column} ${shown(value)}`)
    const missed = missedOf(row).map((aim) => `MISSES ${aimText(aim)}`)
    console.log(`  ${row.name.padEnd(58)} ${values.join(', ')} ${row.unit}  ${missed.join(', ')}`)
  }
}

/** The tables of each part, as they were measured last. */
export interface Results {
  readonly machine: string
  readonly parts: Readonly<Record<string, readonly Table[]>>
}

const FILE = new URL('./results/figures.json', import.meta.url)

const savedBefore = (): Promise<Partial<Results>> =>
  readFile(FILE, 'utf8').then(
    (text) => JSON.parse(text) as Partial<Results>,
    () => ({}),
  )

/** Writes the tables of a part as JSON beside the benchmark, where those of others stay as they were; all of them. */
export const save = async (part: string, tables: readonly Table[]): Promise<Results> => {
  const system = `${process.platform} ${process.arch}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}`
  const results = {
    machine: `Node ${process.version.slice(1)} on ${system}`,
    parts: { ...(await savedBefore()).parts, [part]: tables },
  }
  await mkdir(new URL('.', FILE), { recursive: true })
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`)
  return results
}

const tableOf = ({ title, note, rows }: Table): string => {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cellsOf = (row: Row) => [
    row.name,
    row.unit,
    ...columns.map((column) => (row.values[column] === undefined ? '' : shown(row.values[column]))),
    row.aims.map(aimText).join(', '),
    missedOf(row).length > 0 ? 'missed' : '',
  ]
  return [
    `### ${title}`,
    '',
    ...(note === undefined ? [] : [note, '']),
    lineOf(['What', 'Unit', ...columns, 'Wanted', '']),
    `|---|---|${'---:|'.repeat(columns.length)}---|---|`,
    ...rows.map((row) => lineOf(cellsOf(row))),
  ].join('\n')
}

const missedLines = ({ title, rows }: Table): string[] =>
  rows.flatMap((row) =>
    missedOf(row).map(
      (aim) =>
        `- ${title}, ${row.name}: ${shown(row.values[aim.column] as number)} ${row.unit}, wanted ${aimText(aim)}`,
    ),
  )

const HEAD = `# Figures

Written by \`npm run bench -- --page\`. \`npm run bench -- PART …\` measures again what is under one heading, and \`--quick\` a
smaller set in two minutes. The files in \`bench/\` say how each is measured.

Machines differ, so the yardsticks run beside the emulator, in turns of the same run: \`node:http\` alone; Express; Fastify with JSON
schemas for bodies and answers; aimock, a mock server of the same kind. The first three answer the same bytes each time.
Where they are compared, 16 connections call without a pause, the journal is on and the clock is live, four times as fast as real time. What the
emulator leaves for later (a task's end, for one) is waited for, and the processor time that it takes counts. Processor time is user and system time of the
whole process.

Targets of a suite, of rates and of starting are ratios to a yardstick of the same run. Other targets were set on a machine where
\`node:http\` takes 19 µs per request: read them beside what it takes here. A part that this page lacks was not
measured in the last run.`

/** The tables of so many parts as a page of the documentation, and what of them is not as it should be. */
export const asPage = ({ machine, parts }: Results, names: readonly string[]): string => {
  const measured = names.filter((name) => parts[name] !== undefined)
  const missed = measured.flatMap((name) => (parts[name] ?? []).flatMap(missedLines))
  const sections = measured.map((name) => [`## ${name}`, ...(parts[name] ?? []).map(tableOf)].join('\n\n'))
  const summary = ['## Targets not met', '', ...(missed.length === 0 ? ['Nothing.'] : missed)].join('\n')
  return `${[HEAD, `Measured with ${machine}.`, summary, ...sections].join('\n\n')}\n`
}
