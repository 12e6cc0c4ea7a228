import { describe, expect, test } from 'vitest'
import { exposition } from '../../../src/emulator/observability/metrics.js'
import { newFolder } from '../../folder.js'
import { startWithQuotas } from '../accounts/quotas/start.js'
import { readExposition, type Series } from './read-exposition.js'

describe('metrics', () => {
  /** Of its own, in which nothing has been drawn yet. */
  const metricsOf = async (started: Awaited<ReturnType<typeof startWithQuotas>>) => {
    const { text, headers, status } = await started.ask('GET', '/_backlot/metrics')
    return { status, type: headers.get('content-type'), series: readExposition(text) }
  }

  const seriesValue = (
    series: readonly Series[],
    name: string,
    labels: Record<string, string> = {},
  ): number | undefined =>
    series.find(
      (one) =>
        one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    )?.value

  test('metrics are in the text format of Prometheus', async () => {
    const started = await startWithQuotas({})
    await started.create()
    const { status, type, series } = await metricsOf(started)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(series.length).toBeGreaterThan(50)
  })

  test('calls are counted by operation and status', async () => {
    const started = await startWithQuotas({})
    const { body } = await started.create()
    await started.query(body.id)
    await started.query('none')
    await started.ask('GET', '/nowhere')
    const { series } = await metricsOf(started)
    const count = (operation: string, status: string) =>
      seriesValue(series, 'backlot_requests_total', { operation, status })
    expect(count('b-video-task.create', '200')).toBe(1)
    expect(count('b-video-task.read', '200')).toBe(1)
    expect(count('b-video-task.read', '404')).toBe(1)
    expect(count('none', '404')).toBe(1)
  })

  test('each duration is in the bucket of its edge and in those above, and in the count', async () => {
    const started = await startWithQuotas({})
    await started.create()
    await started.create()
    const { series } = await metricsOf(started)
    const operation = 'b-video-task.create'
    const buckets = series.filter(
      ({ name, labels }) =>
        name === 'backlot_request_duration_seconds_bucket' && labels.operation === operation,
    )
    const values = buckets.map(({ value }) => value)
    expect(values).toEqual([...values].sort((a, b) => a - b))
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: 2 })
    expect(seriesValue(series, 'backlot_request_duration_seconds_count', { operation })).toBe(2)
    expect(seriesValue(series, 'backlot_request_duration_seconds_sum', { operation })).toBeGreaterThan(0)
  })

  test('tasks are there by family and state, and what has become of them', async () => {
    const started = await startWithQuotas({})
    await started.create()
    await started.clock.advance('10m')
    await started.create()
    await started.createImage()
    const { series } = await metricsOf(started)
    const tasks = (family: string, state: string) => seriesValue(series, 'backlot_tasks', { family, state })
    expect(tasks('b-video-task', 'succeeded')).toBe(1)
    expect(tasks('b-video-task', 'queued')).toBe(1)
    expect(tasks('a-image', 'succeeded')).toBe(1)
    expect(
      seriesValue(series, 'backlot_task_changes_total', { family: 'b-video-task', state: 'succeeded' }),
    ).toBe(1)
  })

  test('renders, the cache, callbacks, bounds, accounts, memory and the event loop are there', async () => {
    const started = await startWithQuotas({ journalEntries: 1, timing: 'instant', mediaFolder: newFolder() })
    await started.create({ callback_url: `${started.url}/_backlot/inbox/hook` })
    await started.emulator.callbacks.idle('alice')
    const image = await started.createImage()
    const url = new URL(image.body.output.choices[0].message.content[0].image)
    await started.ask('GET', url.pathname + url.search)
    await started.ask('GET', url.pathname + url.search)
    const { series } = await metricsOf(started)
    expect(seriesValue(series, 'backlot_renders_total', { outcome: 'done' })).toBe(1)
    expect(seriesValue(series, 'backlot_render_seconds_total')).toBeGreaterThan(0)
    expect(seriesValue(series, 'backlot_media_cache_hits_total')).toBe(1)
    expect(seriesValue(series, 'backlot_media_cache_misses_total')).toBe(1)
    expect(seriesValue(series, 'backlot_media_cache_bytes', { place: 'disk' })).toBeGreaterThan(0)
    expect(seriesValue(series, 'backlot_callbacks_total', { outcome: 'delivered' })).toBeGreaterThan(0)
    expect(seriesValue(series, 'backlot_callbacks_total', { outcome: 'failed' })).toBe(0)
    expect(seriesValue(series, 'backlot_bound_hits_total', { bound: 'journal-entries' })).toBeGreaterThan(0)
    expect(seriesValue(series, 'backlot_bound_size', { bound: 'accounts' })).toBe(1)
    expect(seriesValue(series, 'backlot_bound_size', { bound: 'connections' })).toBeGreaterThan(0)
    expect(seriesValue(series, 'backlot_memory_bytes', { kind: 'resident' })).toBeGreaterThan(0)
    expect(seriesValue(series, 'backlot_event_loop_lag_seconds', { of: 'max' })).toBeGreaterThanOrEqual(0)
  })

  test('metrics are behind the guard of the control API', async () => {
    const started = await startWithQuotas({ controlToken: 'a-token' })
    expect((await started.ask('GET', '/_backlot/metrics')).status).toBe(401)
    expect((await started.ask('GET', '/_backlot/metrics?token=a-token')).status).toBe(200)
  })
})

describe('exposition', () => {
  test('values of labels are escaped', () => {
    const text = exposition([
      {
        name: 'things',
        type: 'gauge',
        help: 'Things.',
        samples: [{ labels: { of: 'a "b" \\ c\nd' }, value: 1 }],
      },
    ])
    expect(text).toBe(
      '# HELP backlot_things Things.\n# TYPE backlot_things gauge\nbacklot_things{of="a \\"b\\" \\\\ c\\nd"} 1\n',
    )
    expect(readExposition(text)).toHaveLength(1)
  })

  test('a metric without a sample is not written', () =>
    expect(exposition([{ name: 'things', type: 'gauge', help: 'Things.', samples: [] }])).toBe(''))
})
