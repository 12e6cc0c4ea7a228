import { expect, test } from 'vitest'
import type { Operation } from '../../../../src/emulator/core/contract.js'
import type { Call } from '../../../../src/emulator/core/model/call.js'
import { assetLibrary } from '../../../../src/emulator/families/d-assets/index.js'
import { ask, callOf, contextWith, later } from '../context.js'
import { fileOf, picture, refusal, resolve, unreadableFile, uploaded } from './uploads.js'

const tooNarrow = fileOf({ ...picture, width: 299 })

test('a job that is not done yet is 202 in a 200 (D4)', () => {
  const { context, jobId } = uploaded(fileOf())
  expect(resolve(jobId, context).reply).toEqual({
    status: 200,
    body: {
      code: 202,
      data: { task_id: jobId, status: 'Processing' },
      msg: 'processing',
      message: 'processing',
    },
  })
})

test('a job that is done has the id of its asset (D3)', () => {
  const { context, jobId } = uploaded(fileOf())
  expect(resolve(jobId, later(context, 2_000)).reply).toEqual({
    status: 200,
    body: {
      code: 200,
      data: { task_id: jobId, status: 'Active', asset_id: [...context.account.assets.keys()][0] },
      msg: '',
      message: '',
    },
  })
})

test('a job that has failed says what was found and what is allowed (D5)', () => {
  const { context, jobId } = uploaded(tooNarrow)
  const text = 'width must be 300 to 6000 pixels, found 299'
  expect(resolve(jobId, later(context, 2_000)).reply).toEqual({
    status: 200,
    body: {
      code: 500,
      data: { task_id: jobId, status: 'Failed', error: { code: 'InvalidSize', message: text } },
      msg: text,
      message: text,
    },
  })
})

test('a job does not fail before its time', () => {
  const { context, jobId } = uploaded(unreadableFile('damaged', 'the PNG is cut short', 'png'))
  expect(resolve(jobId, later(context, 999)).reply.body).toMatchObject({ code: 202 })
  expect(resolve(jobId, later(context, 2_000)).reply.body).toMatchObject({ code: 500 })
})

test('an asset stays (D8)', () => {
  const { context, jobId } = uploaded(fileOf())
  expect(resolve(jobId, later(context, 400 * 24 * 3_600_000)).reply.body).toMatchObject({ code: 200 })
})

test.each(['task_2601010000000000', 'nonsense', '../../x', '__proto__'])('%j is not found (D6)', (id) => {
  const { context } = uploaded(fileOf())
  const { reply, meta: notes } = resolve(id, context)
  expect(reply).toEqual({ status: 404, body: refusal(404, 'task not found') })
  expect(notes.refusedBy).toMatchObject([{ rule: 'd-assets.task-exists', found: id }])
})

test.each([undefined, ''])('task_id %j is refused as missing', (id) => {
  const { reply } = resolve(id, contextWith())
  expect(reply).toEqual({ status: 400, body: refusal(400, expect.stringMatching(/^task_id is required/)) })
})

test('two ids are refused, and move no on-poll clock (N21)', () => {
  const [, resolving] = assetLibrary.operations(assetLibrary) as [Operation, Operation]
  const { context, jobId } = uploaded(fileOf())
  const call = callOf(resolving, { query: `task_id=${jobId}&task_id=x` })
  expect(ask(resolving, call, context).reply).toEqual({
    status: 400,
    body: refusal(400, `task_id must be one task_id that an upload answered, found ["${jobId}","x"]`),
  })
  expect(resolving.nextMomentOf?.(call, context.account, context.now)).toBeUndefined()
})

test('resolving changes nothing', () => {
  const { context, jobId } = uploaded(fileOf())
  expect(resolve(jobId, context).changes).toEqual([])
})

test('for an on-poll clock, a job is awaited until it is done', () => {
  const [, resolving] = assetLibrary.operations(assetLibrary) as [Operation, Operation]
  const { context, jobId } = uploaded(fileOf())
  const call = { query: new URLSearchParams({ task_id: jobId }) } as Call
  const [asset] = context.account.assets.values()
  const end = asset?.timeline[1]?.at as number
  expect(resolving.nextMomentOf?.(call, context.account, context.now)).toBe(end)
  expect(resolving.nextMomentOf?.(call, context.account, end)).toBeUndefined()
  expect(
    resolving.nextMomentOf?.({ query: new URLSearchParams() } as Call, context.account, context.now),
  ).toBeUndefined()
})
