/** A number and what it is about. */
export interface Sample {
  /** Put behind the name of the metric: `_bucket`; left out where there is nothing. */
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

const ofType =
  (type: Metric['type']) =>
  (name: string, help: string, found: number | readonly Sample[]): Metric => ({
    name,
    type,
    help,
    samples: typeof found === 'number' ? [{ value: found }] : found,
  })

/** What goes up and down: one number, or several with labels. */
export const gauge = ofType('gauge')

/** What only goes up: one number, or several with labels. */
export const counter = ofType('counter')

/** How often it was how much: samples with the suffixes `_bucket`, `_sum` and `_count`. */
export const histogram = ofType('histogram')

/** One sample for each value, told apart by one label. */
export const samplesBy = (label: string, values: Iterable<readonly [string, number]>): Sample[] =>
  Array.from(values, ([name, value]) => ({ labels: { [label]: name }, value }))

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Metrics in the text format of Prometheus, version 0.0.4. Those without a sample are left out. */
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
