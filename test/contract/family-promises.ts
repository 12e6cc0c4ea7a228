import { describe } from 'vitest'
import type { AnyTaskFamily } from '../../src/core/contract.js'
import { bodiesOfAnyShapeAreAnswered } from './any-body.js'
import { isDocumented } from './documents.js'
import { answersAreWholeInEveryPhase } from './responses.js'
import { samplesAreAccepted } from './sample-requests.js'
import { tablesAreWhole } from './tables.js'
import { livesAreInOrder } from './timelines.js'

/** What every family promises. One that joins the table of contents is tried before its author writes a test. */
export const keepsTheFamilyPromises = (family: AnyTaskFamily): void => {
  describe('tables', () => tablesAreWhole(family))
  describe('sample requests', () => samplesAreAccepted(family))
  describe('lives', () => livesAreInOrder(family))
  describe('answers', () => answersAreWholeInEveryPhase(family))
  describe('bodies', () => bodiesOfAnyShapeAreAnswered(family))
  describe('documentation', () => isDocumented(family))
}
