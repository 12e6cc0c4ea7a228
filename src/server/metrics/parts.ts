import type { BoundReading } from '../bounds/bounds.js'
import type { StudioStats } from '../media/studio/index.js'
import type { Metric } from './exposition.js'

export const studioMetrics = (stats: StudioStats): Metric[] => [
  gauge('renders_running', 'Media that are being drawn.', stats.running),
  gauge('renders_waiting', 'Media that wait to be drawn.', stats.waiting),
  {
    name: 'renders_total',
    type: 'counter',
    help: 'Media that were drawn to their end, or failed.',
    samples: [
      { labels: { outcome: 'done' }, value: stats.renders },
      { labels: { outcome: 'failed' }, value: stats.failures },
    ],
  },
  counter('render_seconds_total', 'How long drawing took, all of it together.', stats.renderMs / 1_000),
  counter('media_cache_hits_total', 'Results that had been drawn before.', stats.hits),
  counter('media_cache_misses_total', 'Results that had to be drawn.', stats.misses),
  {
    name: 'media_cache_bytes',
    type: 'gauge',
    help: 'Drawn media on disk, and cut pictures in memory.',
    samples: [
      { labels: { place: 'disk' }, value: stats.diskBytes },
      { labels: { place: 'memory' }, value: stats.memoryBytes },
    ],
  },
]

export const boundMetrics = (readings: readonly BoundReading[]): Metric[] => [
  {
    name: 'bound_hits_total',
    type: 'counter',
    help: 'How often there was no room for one more.',
    samples: readings.map(({ name, hits }) => ({ labels: { bound: name }, value: hits })),
  },
  {
    name: 'bound_refusals_total',
    type: 'counter',
    help: 'In how many of these cases somebody was refused.',
    samples: readings.map(({ name, refused }) => ({ labels: { bound: name }, value: refused })),
  },
  {
    name: 'bound_size',
    type: 'gauge',
    help: 'How much there is; where a bound is per account, of the account with most.',
    samples: readings.flatMap(({ name, size }) =>
      size === null ? [] : [{ labels: { bound: name }, value: size }],
    ),
  },
  {
    name: 'bound_limit',
    type: 'gauge',
    help: 'How much there may be.',
    samples: readings.map(({ name, most }) => ({ labels: { bound: name }, value: most })),
  },
]

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
})

export const counter = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'counter',
  samples: [{ value }],
})
