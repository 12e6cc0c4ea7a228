/** One line of numbers. */
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
const HELP = new RegExp(`^# HELP (${NAME}) \\S.*$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`)
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
)

/**
 * Reads the text format of Prometheus as strictly as its description has it: every metric with its help and type
 * before its samples, no metric and no series twice, counters that end in _total.
 * @throws Error with the line that is wrong
 */
export const readExposition = (text: string): Series[] => {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const types = new Map<string, string>()
  const seen = new Set<string>()
  const series: Series[] = []
  let described = ''
  let current = ''
  const declare = (metric: string, type: string, line: string): void => {
    if (metric !== described || types.has(metric)) throw new Error(`out of place: ${line}`)
    if ((type === 'counter') !== metric.endsWith('_total')) throw new Error(`no name for a ${type}: ${line}`)
    types.set(metric, type)
    current = metric
  }
  const addSample = (line: string): void => {
    const [, name = '', labels = '', value] = SAMPLE.exec(line) ?? []
    const bare = types.get(current) === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name
    if (value === undefined || bare !== current) throw new Error(`no sample of ${current}: ${line}`)
    if (seen.has(name + labels)) throw new Error(`twice: ${line}`)
    seen.add(name + labels)
    series.push({ name, labels: labelsOf(labels), value: Number(value) })
  }
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helped] = HELP.exec(line) ?? []
    const [, typed, type = ''] = TYPE.exec(line) ?? []
    if (helped !== undefined) described = helped
    else if (typed !== undefined) declare(typed, type, line)
    else addSample(line)
  }
  return series
}

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
