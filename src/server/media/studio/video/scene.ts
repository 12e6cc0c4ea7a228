import type { VideoSpec } from '../../../../core/media/spec.js'
import type { Inputs } from '../inputs/inputs.js'
import { loadTypeface, type Typeface } from '../lettering/typeface.js'
import { backdrop } from '../scene/backdrop.js'
import { brand } from '../scene/brand.js'
import { chanceOf } from '../scene/chance.js'
import { type Footer, type FooterItem, footerOf } from '../scene/footer.js'
import { galleryOf } from '../scene/gallery.js'
import type { Painting, Placed } from '../scene/paint.js'
import { paletteOf } from '../scene/palette.js'
import { prompt } from '../scene/prompt.js'
import { marginFor, stageOf, typeSizeFor } from '../scene/stage.js'
import { type Area, moved } from '../scene/svg.js'
import { streetHeightFor } from '../scene/traffic.js'
import { type Watermark, watermarkOf } from '../scene/watermark.js'
import { type Band, filmEdge, type Patch, timeCode, trafficBand } from './moving.js'

/** The title card of a video: what stands still, and on top of it what moves. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  /** SVG of everything that stands still. */
  readonly still: string
  readonly pictures: readonly Placed[]
  readonly bands: readonly Band[]
  readonly patch: Patch
}

export const sceneOf = async (spec: VideoSpec, inputs: Inputs): Promise<Scene> => {
  const { width, height, card, framesPerSecond } = spec
  const typeface = await loadTypeface()
  const palette = paletteOf(spec.seed)
  const edge = filmEdge(spec)
  const margin = marginFor(width, height)
  const size = typeSizeFor(width, height)
  const code = timeCode(typeface, spec, { right: width - margin, y: margin, size: size * 1.35 }, palette)
  const mark = spec.hasWatermark ? watermarkOf(typeface, width, height) : undefined
  const footer = footerFor(typeface, spec, edge.area.width, mark)
  const stage = stageOf({
    ...{ width, height, footerHeight: footer.height, hasGallery: spec.references.length > 0 },
    ...{
      leftEdge: edge.area.width,
      rightOfBrand: code.area.width + size,
      streetHeight: streetHeightFor(width, height),
    },
  })
  const gallery = await galleryOf(typeface, inputs, spec.references, stage.gallery, { size, palette })
  const still = [
    backdrop(stage, palette, chanceOf(spec.seed, 'town')),
    brand(typeface, stage.brand, 'placeholder video', palette),
    prompt(typeface, card.prompt, stage.prompt, stage.promptSizes, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
  ]
  return {
    ...{ width, height, framesPerSecond, still: still.join(''), pictures: gallery.pictures },
    bands: [trafficBand(spec, withoutKerb(stage.street), palette), edge],
    patch: code,
  }
}

// The kerb stands still, and the band keeps to even numbers.
const withoutKerb = (street: Area): Area => {
  const y = 2 * Math.ceil((street.y + street.height * 0.07) / 2)
  return { ...street, y, height: 2 * Math.floor((street.y + street.height - y) / 2) }
}

const footerFor = (
  typeface: Typeface,
  spec: VideoSpec,
  leftEdge: number,
  mark: Watermark | undefined,
): Footer => {
  const { width, height, card } = spec
  const margin = marginFor(width, height)
  const items: FooterItem[] = [
    ['MODEL', card.model],
    ['SIZE', card.size],
    ['SEED', String(card.seed)],
    ...(card.index === undefined ? [] : [['NO.', card.index] as const]),
    ['FPS', String(spec.framesPerSecond)],
    ['SOUND', spec.hasAudio ? 'on' : 'off'],
    ['ID', card.id],
  ]
  const room = { width, left: leftEdge + margin, right: margin, size: typeSizeFor(width, height) }
  return footerOf(typeface, items, { ...room, keepFree: mark?.area.width ?? 0 })
}

/** The card at one frame of the video, from 0. */
export const cardAt = (scene: Scene, frame: number): Painting => {
  const moving = [
    ...scene.bands.map((band) => clipped(band, frame % scene.framesPerSecond)),
    patchAt(scene.patch, frame),
  ]
  return { ...scene, layers: [scene.still + moving.join(''), ...scene.pictures] }
}

const patchAt = ({ area, columns }: Patch, frame: number): string => {
  let x = area.x
  const drawn = columns.map(({ width, draw }) => {
    x += width
    return moved(x - width, area.y, draw(frame))
  })
  return drawn.join('')
}

const clipped = (band: Band, frame: number): string => {
  const { x, y, width, height } = band.area
  const shift = (frame * band.pixelsPerFrame) % band.tileLength
  const inner =
    band.runs === 'right' ? moved(shift - band.tileLength, 0, bandSvg(band)) : moved(0, -shift, bandSvg(band))
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}">${inner}</svg>`
}

/** How long a band is drawn: one tile more than is seen, so that it can run for the length of a tile. */
export const bandLength = ({ area, runs, tileLength }: Band): number =>
  Math.ceil((runs === 'right' ? area.width : area.height) / tileLength) * tileLength + tileLength

/** A band at its full length, from its upper left corner. */
export const bandSvg = (band: Band): string =>
  Array.from({ length: bandLength(band) / band.tileLength }, (_, index) =>
    band.runs === 'right'
      ? moved(index * band.tileLength, 0, band.tile)
      : moved(0, index * band.tileLength, band.tile),
  ).join('')
