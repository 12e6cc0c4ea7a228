import type { MediaKind } from '../../../../core/media/facts.js'
import { type Area, path } from './svg.js'

// Drawn in a square of 24 by 24.
const SHAPES: Readonly<Record<MediaKind, string>> = {
  image:
    'M2 4h20v16h-20zM4 6v12h16v-12zM5 17l5-7l4 5l2-2.5l3 4.5zM15.5 8a1.6 1.6 0 1 1 0 3.2a1.6 1.6 0 1 1 0-3.2z',
  video:
    'M2 4h20v16h-20zM4 6v2h2v-2zM4 11v2h2v-2zM4 16v2h2v-2zM18 6v2h2v-2zM18 11v2h2v-2zM18 16v2h2v-2zM9.5 8v8l6.5-4z',
  audio: 'M3 10h2v4h-2zM7 7h2v10h-2zM11 3h2v18h-2zM15 8h2v8h-2zM19 10.5h2v3h-2z',
}

/** A picture frame, a strip of film or a sound wave, as large as the area allows. */
export const icon = (kind: MediaKind, area: Area, fill: string): string => {
  const side = Math.min(area.width, area.height)
  const x = area.x + (area.width - side) / 2
  const y = area.y + (area.height - side) / 2
  return path(
    SHAPES[kind],
    fill,
    `fill-rule="evenodd" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${(side / 24).toFixed(4)})"`,
  )
}
