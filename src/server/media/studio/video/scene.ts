import type { VideoSpec } from '../../../../core/media/spec.js'
import type { Inputs } from '../inputs/inputs.js'
import { loadTypeface, type Typeface } from '../lettering/typeface.js'
import { backdrop } from '../scene/backdrop.js'
import { brand } from '../scene/brand.js'
import { chanceOf } from '../scene/chance.js'
import { type Footer, footerOf, itemsOf } from '../scene/footer.js'
import { galleryOf } from '../scene/gallery.js'
import type { Painting, Placed } from '../scene/paint.js'
import { paletteOf } from '../scene/palette.js'
import { prompt } from '../scene/prompt.js'
import { marginFor, type StageOptions, stageOf, typeSizeFor } from '../scene/stage.js'
import { type Area, moved } from '../scene/svg.js'
import { streetHeightFor } from '../scene/traffic.js'
import { type Watermark, watermarkOf } from '../scene/watermark.js'
import { type Band, filmEdge, type Patch, trafficBand } from './moving.js'
import { drawnFor } from './second.js'
import { timeCode } from './time-code.js'

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
  const { width, height, framesPerSecond, seed, card } = spec
  const typeface = await loadTypeface()
  const palette = paletteOf(seed)
  const mark = spec.hasWatermark ? watermarkOf(typeface, width, height) : undefined
  const edge = filmEdge(spec)
  const patch = timeCode(typeface, spec, palette)
  const footer = footerFor(typeface, spec, edge.area.width, mark)
  const stage = stageOf(stageOptions(spec, footer, edge, patch))
  const style = { size: stage.size, palette }
  const gallery = await galleryOf(typeface, inputs, spec.references, stage.gallery, style)
  const still = [
    backdrop(stage, palette, chanceOf(seed, 'town')),
    brand(typeface, stage.brand, 'placeholder video', palette),
    prompt(typeface, card.prompt, stage.prompt, stage.promptSizes, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
  ]
  const bands = [trafficBand(spec, withoutKerb(stage.street), palette), edge]
  return { width, height, framesPerSecond, still: still.join(''), pictures: gallery.pictures, bands, patch }
}

const stageOptions = (spec: VideoSpec, footer: Footer, edge: Band, patch: Patch): StageOptions => ({
  width: spec.width,
  height: spec.height,
  footerHeight: footer.height,
  hasGallery: spec.references.length > 0,
  leftEdge: edge.area.width,
  rightOfBrand: patch.area.width + typeSizeFor(spec.width, spec.height),
  streetHeight: streetHeightFor(spec.width, spec.height),
})

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
  const items = itemsOf(card, [
    ['FPS', String(spec.framesPerSecond)],
    ['SOUND', spec.hasAudio ? 'on' : 'off'],
  ])
  const room = { width, left: leftEdge + margin, right: margin, size: typeSizeFor(width, height) }
  return footerOf(typeface, items, { ...room, keepFree: mark?.area.width ?? 0 })
}

/** The card as it is shown at one frame of the video, from 0. */
export const cardAt = (scene: Scene, at: number): Painting => {
  const frame = drawnFor(at, scene.framesPerSecond)
  const moving = [
    ...scene.bands.map((band) => clipped(band, frame % scene.framesPerSecond)),
    patchAt(scene.patch, frame),
  ]
  return { ...scene, layers: [scene.still + moving.join(''), ...scene.pictures] }
}

const patchAt = ({ area, ground, cells }: Patch, frame: number): string =>
  moved(
    area.x,
    area.y,
    ground + cells.map((cell) => moved(cell.area.x, cell.area.y, cell.draw(frame))).join(''),
  )

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
