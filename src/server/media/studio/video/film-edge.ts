import type { VideoSpec } from '../../../../core/media/spec.js'
import { rect, rects } from '../scene/svg.js'

/** The perforated edge of a film, along the left side of the card. */
export const filmEdge = ({ width, height }: VideoSpec): { readonly width: number; readonly svg: string } => {
  const side = Math.round(Math.min(width, height) * 0.045)
  const holes = Math.round(height / (side * 1.4))
  const pitch = height / holes
  const places = Array.from({ length: holes }, (_, index) => ({
    x: side * 0.24,
    y: (index + 0.25) * pitch,
    width: side * 0.52,
    height: pitch * 0.5,
  }))
  const strip = rect({ x: 0, y: 0, width: side, height }, '#0d0d10')
  return { width: side, svg: strip + rects(places, '#e9e4d8') }
}
