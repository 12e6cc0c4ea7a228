import { describe, expect, test } from 'vitest'
import type { AnyTaskFamily } from '../../src/emulator/core/contract.js'
import { bodiesOfAnyShapeAreAnswered } from './any-body.js'
import { isDocumented } from './documents.js'
import { errorShapes } from './error-shapes.js'
import { nullsCountAsNotSent } from './nulls.js'
import { answersAreWholeInEveryPhase } from './responses.js'
import { samplesAreAccepted } from './sample-requests.js'
import { tablesAreWhole } from './tables.js'
import { livesAreInOrder } from './timelines.js'

/**
 * What every family promises. One that joins the table of contents is tried before its author writes a test.
 * @param isOutside its pages are not those of the project
 */
export const keepsTheFamilyPromises = (family: AnyTaskFamily, { isOutside = false } = {}): void => {
  describe('sample requests', () => samplesAreAccepted(family))
  describe('lives', () => livesAreInOrder(family))
  describe('answers', () => answersAreWholeInEveryPhase(family))
  describe('null', () => nullsCountAsNotSent(family))
  if (!isOutside) describe('documentation', () => isDocumented(family))
  test('the format of its errors is in test/contract/error-shapes.ts', () =>
    expect(Object.keys(errorShapes)).toContain(family.id))
  // Without the format every test of an error would fail.
  if (!Object.hasOwn(errorShapes, family.id)) return
  describe('tables', () => tablesAreWhole(family, { isOutside }))
  describe('bodies', () => bodiesOfAnyShapeAreAnswered(family))
}
