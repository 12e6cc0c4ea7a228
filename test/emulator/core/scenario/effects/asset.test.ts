import { expect, test } from 'vitest'
import { type Asset, assetTimeline } from '../../../../../src/emulator/core/asset.js'
import { applyEffectsOf, type StepEffects } from '../../../../../src/emulator/core/scenario/effects/index.js'

type AssetValues = NonNullable<StepEffects['asset']>

const refusal = { code: 'TooSmall', message: 'The image is too small' }
const outage = { code: 'InternalError', message: 'Out of order' }

const assetWith = (timeline: Asset['timeline']): Asset => ({
  id: 'asset-1',
  jobId: 'task_1',
  account: 'test-key',
  requestId: 'request-1',
  name: 'a.png',
  bytes: 1,
  facts: { kind: 'image', format: 'png', bytes: 1, width: 1, height: 1 },
  blob: 'b',
  createdAt: 100,
  timeline,
})

const changed = (asset: AssetValues, timeline: Asset['timeline']) =>
  applyEffectsOf('asset', { asset }, assetWith(timeline), undefined)

const momentsOf = (values: AssetValues, timeline = assetTimeline(100, 1_000, undefined)) =>
  changed(values, timeline).timeline.map(({ at, value }) => [at, value.state])

test.each<[string, AssetValues, [number, string][]]>([
  [
    'nothing',
    {},
    [
      [100, 'Processing'],
      [1_100, 'Active'],
    ],
  ],
  [
    'a longer time',
    { readyAfter: 60_000 },
    [
      [100, 'Processing'],
      [60_100, 'Active'],
    ],
  ],
  ['never', { readyAfter: 'never' }, [[100, 'Processing']]],
  [
    'a failure',
    { fails: outage },
    [
      [100, 'Processing'],
      [1_100, 'Failed'],
    ],
  ],
  [
    'a later failure',
    { fails: outage, readyAfter: 5 },
    [
      [100, 'Processing'],
      [105, 'Failed'],
    ],
  ],
])('%s', (_, values, expected) => expect(momentsOf(values)).toEqual(expected))

test('a file that would fail of itself does so later', () =>
  expect(momentsOf({ readyAfter: 5 }, assetTimeline(100, 1_000, refusal))).toEqual([
    [100, 'Processing'],
    [105, 'Failed'],
  ]))

test('a failure says what the scenario says', () =>
  expect(changed({ fails: outage }, assetTimeline(100, 1, refusal)).timeline[1]?.value).toEqual({
    state: 'Failed',
    error: outage,
  }))
