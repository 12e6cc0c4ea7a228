/** Sample of a metric: a number with labels. */
export interface Sample {
  /** Follows the name of the metric: `_bucket`. Default: nothing. */
  readonly suffix?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metric {
  /** Without the prefix: `requests_total`. */
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

/**
 * Metric of one number, or of several with labels. A gauge goes up and down, a counter only up; the samples of a histogram
 * have the suffixes `_bucket`, `_sum` and `_count`.
 */
export const metric = (
  type: Metric['type'],
  name: string,
  help: string,
  found: number | readonly Sample[],
): Metric => ({ name, type, help, samples: typeof found === 'number' ? [{ value: found }] : found })

/** One sample for each value, with one label. */
export const samplesBy = (label: string, values: Iterable<readonly [string, number]>): Sample[] =>
  Array.from(values, ([name, value]) => ({ labels: { [label]: name }, value }))

/** Metrics in the text format of Prometheus, version 0.0.4. Metrics without a sample are omitted. */
export const exposition = (metrics: readonly Metric[]): string =>
  metrics
    .filter(({ samples }) => samples.length > 0)
    .map(written)
    .join('')

const written = ({ name, type, help, samples }: Metric): string =>
  [
    `# HELP backlot_${name} ${help}`,
    `# TYPE backlot_${name} ${type}`,
    ...samples.map(
      ({ suffix = '', labels = {}, value }) => `backlot_${name}${suffix}${labelText(labels)} ${value}`,
    ),
    '',
  ].join('\n')

const labelText = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
