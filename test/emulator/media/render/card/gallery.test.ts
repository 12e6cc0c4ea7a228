import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printAreas } from '../../../../../src/emulator/media/render/card/gallery.js'

const spacing = { gap: 9, paper: { border: 4, label: 16 } }
const AROUND = { width: 2 * spacing.paper.border, height: spacing.paper.border + spacing.paper.label }

const shape = fc.oneof(
  fc.double({ min: 0.4, max: 2.5, noNaN: true }),
  fc.double({ min: 1e-5, max: 1e5, noNaN: true }),
)

const areaFrom = (width: number, height: number) =>
  fc.record({
    x: fc.double({ min: 0, max: 2000, noNaN: true }),
    y: fc.double({ min: 0, max: 2000, noNaN: true }),
    width: fc.double({ min: width, max: 3000, noNaN: true }),
    height: fc.double({ min: height, max: 3000, noNaN: true }),
  })

// Pictures of three inputs are made from 182 pixels on, videos of fifteen from 480 on.
test.each([
  ['three', 3, areaFrom(150, 57)],
  ['fifteen', 15, areaFrom(400, 250)],
])(
  'up to %s prints of any shape lie within their area, and each shows at least a pixel',
  (_, most, areas) => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: most }), areas, (shapes, area) => {
        const prints = printAreas(shapes, area, spacing)
        expect(prints).toHaveLength(shapes.length)
        for (const { x, y, width, height } of prints) {
          expect([x, y, width, height].every(Number.isInteger)).toBe(true)
          expect(Math.min(width - AROUND.width, height - AROUND.height)).toBeGreaterThanOrEqual(1)
          expect(x).toBeGreaterThanOrEqual(area.x)
          expect(y).toBeGreaterThanOrEqual(area.y)
          expect(x + width).toBeLessThanOrEqual(area.x + area.width)
          expect(y + height).toBeLessThanOrEqual(area.y + area.height)
        }
      }),
      { numRuns: 2_000, seed: 1 },
    )
  },
)

const area = { x: 10, y: 20, width: 400, height: 300 }

test('a picture keeps its shape where it can be seen', () => {
  expect(printAreas([2], area, spacing)).toEqual([{ x: 10, y: 62, width: 400, height: 216 }])
})

test.each([
  ['wide', 1000, { x: 10, y: 156, width: 400, height: 28 }],
  ['tall', 0.001, { x: 202, y: 20, width: 16, height: 300 }],
])('a %s one is cut to what can be seen of it', (_, shape, cell) => {
  expect(printAreas([shape], area, spacing)).toEqual([cell])
})

test('prints of a row are equally high and stand beside each other', () => {
  expect(printAreas([0.5, 0.5], area, spacing)).toEqual([
    { x: 57, y: 20, width: 148, height: 300 },
    { x: 214, y: 20, width: 148, height: 300 },
  ])
})
