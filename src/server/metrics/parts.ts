import type { QuotaStatus } from '../bounds/bounds.js'
import type { RendererStats } from '../media/studio/index.js'
import { counter, gauge, type Metric, type Sample, samplesBy } from './metric.js'

export const rendererMetrics = (stats: RendererStats): Metric[] => [
  gauge('renders_running', 'Media that are being drawn.', stats.running),
  gauge('renders_waiting', 'Media that wait to be drawn.', stats.waiting),
  counter(
    'renders_total',
    'Media that were drawn to their end, or failed.',
    samplesBy('outcome', [
      ['done', stats.renders],
      ['failed', stats.failures],
    ]),
  ),
  counter('render_seconds_total', 'How long drawing took, all of it together.', stats.renderMs / 1_000),
  counter('media_cache_hits_total', 'Results that had been drawn before.', stats.hits),
  counter('media_cache_misses_total', 'Results that had to be drawn.', stats.misses),
  gauge(
    'media_cache_bytes',
    'Drawn media on disk, and cut pictures in memory.',
    samplesBy('place', [
      ['disk', stats.diskBytes],
      ['memory', stats.memoryBytes],
    ]),
  ),
]

export const boundMetrics = (readings: readonly QuotaStatus[]): Metric[] => {
  const ofEach = (value: (reading: QuotaStatus) => number | null): Sample[] =>
    samplesBy(
      'bound',
      readings.flatMap((reading) => {
        const found = value(reading)
        return found === null ? [] : [[reading.name, found] as const]
      }),
    )
  return [
    counter(
      'bound_hits_total',
      'How often there was no room for one more.',
      ofEach(({ hits }) => hits),
    ),
    counter(
      'bound_refusals_total',
      'In how many of these cases somebody was refused.',
      ofEach(({ refused }) => refused),
    ),
    gauge(
      'bound_size',
      'How much there is; where a bound is per account, of the account with most.',
      ofEach(({ size }) => size),
    ),
    gauge(
      'bound_limit',
      'How much there may be.',
      ofEach(({ most }) => most),
    ),
  ]
}
