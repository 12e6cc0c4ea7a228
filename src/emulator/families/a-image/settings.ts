import { z } from 'zod'
import { bytes } from '../../core/setting-fields.js'
import { sizeBounds, sizeChecksOf } from './image-size.js'

/** Settings of family A, of which A2 shares the limit of bodies. */
export const imageSettings = {
  defaultImageSize: z
    .string()
    .superRefine((size, { addIssue }) => {
      const { form, area, ratio } = sizeChecksOf(sizeBounds)
      const allowed = form.check(size) ?? area.check(size) ?? ratio.check(size)
      if (allowed !== undefined) addIssue(allowed)
    })
    .optional()
    .describe('width*height of text-to-image when none is sent, within the bounds of size (A3)'),
  imageBodyBytes: bytes(32).describe('body limit of families A and A2 (A7)'),
}
