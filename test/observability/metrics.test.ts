import { describe, expect, test } from 'vitest'
import { exposition } from '../../src/observability/metrics.js'
import { openTown } from '../accounts/quotas/emulator.js'
import { newFolder } from '../folder.js'
import { readExposition, type Series } from './read-exposition.js'

describe('metrics', () => {
  /** Of its own, in which nothing has been drawn yet. */
  const metricsOf = async (town: Awaited<ReturnType<typeof openTown>>) => {
    const { text, headers, status } = await town.call('alice', 'GET', '/_backlot/metrics')
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
    const town = await openTown({})
    await town.create()
    const { status, type, series } = await metricsOf(town)
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(series.length).toBeGreaterThan(50)
  })

  test('calls are counted by operation and status', async () => {
    const town = await openTown({})
    const { body } = await town.create()
    await town.read(body.id)
    await town.read('none')
    await town.call('alice', 'GET', '/nowhere')
    const { series } = await metricsOf(town)
    const count = (operation: string, status: string) =>
      seriesValue(series, 'backlot_requests_total', { operation, status })
    expect(count('b-video-task.create', '200')).toBe(1)
    expect(count('b-video-task.read', '200')).toBe(1)
    expect(count('b-video-task.read', '404')).toBe(1)
    expect(count('none', '404')).toBe(1)
  })

  test('each duration is in the bucket of its edge and in those above, and in the count', async () => {
    const town = await openTown({})
    await town.create()
    await town.create()
    const { series } = await metricsOf(town)
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
    const town = await openTown({})
    await town.create()
    await town.advance('10m')
    await town.create()
    await town.draw()
    const { series } = await metricsOf(town)
    const tasks = (family: string, state: string) => seriesValue(series, 'backlot_tasks', { family, state })
    expect(tasks('b-video-task', 'succeeded')).toBe(1)
    expect(tasks('b-video-task', 'queued')).toBe(1)
    expect(tasks('a-image', 'succeeded')).toBe(1)
    expect(
      seriesValue(series, 'backlot_task_changes_total', { family: 'b-video-task', state: 'succeeded' }),
    ).toBe(1)
  })

  test('renders, the cache, callbacks, bounds, accounts, memory and the event loop are there', async () => {
    const town = await openTown({ journalEntries: 1, timing: 'instant', mediaFolder: newFolder() })
    await town.create('alice', { callback_url: `${town.url}/_backlot/inbox/hook` })
    await town.emulator.callbacks.idle('alice')
    const image = await town.draw()
    const url = new URL(image.body.output.choices[0].message.content[0].image)
    await town.call('alice', 'GET', url.pathname + url.search)
    await town.call('alice', 'GET', url.pathname + url.search)
    const { series } = await metricsOf(town)
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
    const town = await openTown({ controlToken: 'a-token' })
    expect((await town.call('alice', 'GET', '/_backlot/metrics')).status).toBe(401)
    expect((await town.call('alice', 'GET', '/_backlot/metrics?token=a-token')).status).toBe(200)
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
