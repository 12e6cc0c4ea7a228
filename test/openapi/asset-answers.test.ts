import { expect, test } from 'vitest'
import type { Asset, AssetPhase } from '../../src/core/model/asset.js'
import { type AssetError, errors, refusalReply } from '../../src/families/d-assets/errors.js'
import * as render from '../../src/families/d-assets/respond.js'
import { accepted, problem, resolved } from '../../src/families/d-assets/responses.js'

const assetThatIs = (phase: AssetPhase): Asset => ({
  id: 'asset-20260101000000-abcde',
  jobId: 'task_2601010000000001',
  account: 'key',
  name: 'cat.png',
  bytes: 1,
  blob: 'b'.repeat(64),
  requestId: 'request-1',
  createdAt: 0,
  timeline: [{ at: 0, value: phase }],
})

test('an upload is answered as its schema says', () => {
  const answer = render.accepted(assetThatIs({ state: 'Processing' }))
  expect(accepted.parse(answer)).toEqual(answer)
})

test.each<AssetPhase>([
  { state: 'Processing' },
  { state: 'Active' },
  { state: 'Failed', error: { code: 'InvalidParameter', message: 'too small' } },
])('a job that is $state is answered as its schema says', (phase) => {
  const answer = render.resolved(assetThatIs(phase), 0)
  expect(resolved.parse(answer)).toEqual(answer)
})

test.each(Object.keys(errors) as AssetError[])('the refusal %s is as its schema says', (error) => {
  const { body } = refusalReply({ error })
  expect(problem.parse(body)).toEqual(body)
})
