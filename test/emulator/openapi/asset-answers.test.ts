import { expect, test } from 'vitest'
import type { Asset } from '../../../src/emulator/core/asset.js'
import { refusalReply } from '../../../src/emulator/core/task/refusals.js'
import { type AssetError, errors } from '../../../src/emulator/families/d-assets/errors.js'
import { assetLibrary } from '../../../src/emulator/families/d-assets/index.js'
import { accepted, api, resolved } from '../../../src/emulator/families/d-assets/responses.js'

type AssetPhase = Asset['timeline'][number]['value']

const { AssetUploaded, AssetJob, AssetProblem } = api.responses

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
  const answer = accepted(assetThatIs({ state: 'Processing' }))
  expect(AssetUploaded.parse(answer)).toEqual(answer)
})

test.each<AssetPhase>([
  { state: 'Processing' },
  { state: 'Active' },
  { state: 'Failed', error: { code: 'InvalidParameter', message: 'too small' } },
])('a job that is $state is answered as its schema says', (phase) => {
  const answer = resolved(assetThatIs(phase), 0)
  expect(AssetJob.parse(answer)).toEqual(answer)
})

test.each(Object.keys(errors) as AssetError[])('the refusal %s is as its schema says', (error) => {
  const { body } = refusalReply(assetLibrary, { error }, 'request-1')
  expect(AssetProblem.parse(body)).toEqual(body)
})
