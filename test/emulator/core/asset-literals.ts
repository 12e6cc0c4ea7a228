import { type Asset, assetTimeline } from '../../../src/emulator/core/asset.js'

/** An asset that is active 10 ms after the beginning of time. */
export const assetWith = (change: Partial<Asset> = {}): Asset => ({
  id: 'asset-1',
  jobId: 'task_1',
  account: 'test-key',
  name: 'a.png',
  bytes: 100,
  blob: 'b'.repeat(64),
  facts: { kind: 'image', format: 'png', bytes: 100, width: 640, height: 360 },
  requestId: 'request-1',
  createdAt: 0,
  timeline: assetTimeline(0, 10, undefined),
  ...change,
})
