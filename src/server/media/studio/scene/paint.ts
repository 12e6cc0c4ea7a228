import type { OverlayOptions, Sharp } from 'sharp'
import type { Raster } from '../inputs/bmp.js'
import { loadSharp } from '../load.js'
import { document } from './svg.js'

/** A raster and where its upper left corner goes, in whole pixels. */
export interface Placed {
  readonly raster: Raster
  readonly left: number
  readonly top: number
}

/** A drawing as large as the whole picture, or pixels at a place. */
export type Layer = string | Placed

export interface Painting {
  readonly width: number
  readonly height: number
  /** From the lowest to the uppermost; the lowest fills the picture. */
  readonly layers: readonly [Layer, ...Layer[]]
}

/** A painting as a PNG without alpha. These settings are the fastest that keep files small. */
export const paintPng = (painting: Painting): Promise<Buffer> =>
  painted(painting).png({ compressionLevel: 6, adaptiveFiltering: false, palette: false }).toBuffer()

/** A painting as bare pixels. */
export const paintRaster = async (painting: Painting): Promise<Raster> => {
  const { width, height } = painting
  return { width, height, data: await painted(painting).raw().toBuffer() }
}

const painted = ({ width, height, layers }: Painting): Sharp => {
  const sharp = loadSharp()
  const [lowest, ...others] = layers
  const ground =
    typeof lowest === 'string'
      ? sharp(document(width, height, lowest))
      : sharp(lowest.raster.data, { raw: shapeOf(lowest) })
  const overlays = others.map(
    (layer): OverlayOptions =>
      typeof layer === 'string'
        ? { input: document(width, height, layer) }
        : { input: layer.raster.data, raw: shapeOf(layer), left: layer.left, top: layer.top },
  )
  return (overlays.length === 0 ? ground : ground.composite(overlays)).removeAlpha()
}

const shapeOf = ({ raster: { width, height } }: Placed) => ({ width, height, channels: 3 as const })
