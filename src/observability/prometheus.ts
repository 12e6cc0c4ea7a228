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

/** Makes metrics of a type, of one number or of several with labels. */
const metricsOf =
  (type: Metric['type']) =>
  (name: string, help: string, values: number | readonly Sample[]): Metric => ({
    type,
    name,
    help,
    samples: typeof values === 'number' ? [{ value: values }] : values,
  })

/** Only goes up. */
export const counter = metricsOf('counter')
/** Goes up and down. */
export const gauge = metricsOf('gauge')
/** Its samples have the suffixes `_bucket`, `_sum` and `_count`. */
export const histogram = metricsOf('histogram')

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
