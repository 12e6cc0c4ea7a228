import type { Metric } from './metric.js'

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
