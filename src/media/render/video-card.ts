import type { VideoSpec } from '../../core/media/spec.js'
import { backdrop } from './card/backdrop.js'
import { type Footer, footerOf, itemsOf } from './card/footer.js'
import { galleryOf } from './card/gallery.js'
import { brand, prompt, type Watermark, watermarkOf } from './card/labels.js'
import { type CardLayoutOptions, cardLayoutOf, marginFor, typeSizeFor } from './card/layout.js'
import { paletteOf } from './card/palette.js'
import { type Area, rect, rects } from './card/svg.js'
import { streetHeightFor } from './card/traffic.js'
import type { Inputs } from './input-pictures.js'
import { randomOf } from './random.js'
import type { Painting, Placed } from './raster.js'
import { type Font, loadFont } from './text/font.js'
import { type Cell, cellAt } from './video/cells.js'
import { frameNumber } from './video/frame-number.js'
import { drawnFor } from './video/second.js'
import { type Street, streetAt, streetOf } from './video/street.js'
import { timeCodeOf } from './video/time-code.js'

/** The title card of a video: what stands still, and on top of it what moves. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  /** SVG of everything that stands still. */
  readonly still: string
  readonly pictures: readonly Placed[]
  readonly street: Street
  /** Where the time code is. */
  readonly timeCode: Area
  /** What changes with every second, and what with every drawing; the latter is on the street. */
  readonly bySecond: readonly Cell[]
  readonly byDrawing: readonly Cell[]
}

export const sceneOf = async (spec: VideoSpec, inputs: Inputs): Promise<Scene> => {
  const { width, height, framesPerSecond, seed, card } = spec
  const font = await loadFont()
  const palette = paletteOf(seed)
  const mark = spec.hasWatermark ? watermarkOf(font, width, height) : undefined
  const edge = filmEdge(spec)
  const timeCode = timeCodeOf(font, spec, palette)
  const footer = footerFor(font, spec, edge.width, mark)
  const layout = cardLayoutOf(stageOptions(spec, footer, edge.width, timeCode.area))
  const style = { size: layout.size, palette }
  const gallery = await galleryOf(font, inputs, spec.references, layout.gallery, style)
  const still = [
    backdrop(layout, palette, randomOf(seed, 'town')),
    brand(font, layout.brand, 'placeholder video', palette),
    prompt(font, card.prompt, layout.prompt, layout.promptSizes, palette),
    gallery.svg,
    footer.draw(height - footer.height, palette),
    mark?.svg ?? '',
    edge.svg,
    timeCode.still,
  ]
  const street = streetOf(spec, between(layout.street, edge.width), palette)
  return {
    ...{ width, height, framesPerSecond },
    still: still.join(''),
    pictures: gallery.pictures,
    ...{ street, timeCode: timeCode.area },
    bySecond: timeCode.cells,
    byDrawing: [frameNumber(font, spec, street.area, palette)],
  }
}

const stageOptions = (
  spec: VideoSpec,
  footer: Footer,
  leftEdge: number,
  timeCode: Area,
): CardLayoutOptions => ({
  width: spec.width,
  height: spec.height,
  footerHeight: footer.height,
  hasGallery: spec.references.length > 0,
  leftEdge,
  rightOfBrand: timeCode.width + typeSizeFor(spec.width, spec.height),
  streetHeight: streetHeightFor(spec.width, spec.height),
})

// The kerb and the edge of the film stand still, and what runs is laid on in whole pixels.
const between = ({ y: top, width, height }: Area, x: number): Area => {
  const y = Math.ceil(top + height * 0.07)
  return { x, y, width: width - x, height: Math.floor(top + height - y) }
}

const footerFor = (font: Font, spec: VideoSpec, leftEdge: number, mark: Watermark | undefined): Footer => {
  const { width, height, card } = spec
  const margin = marginFor(width, height)
  const items = itemsOf(card, [
    ['FPS', String(spec.framesPerSecond)],
    ['SOUND', spec.hasAudio ? 'on' : 'off'],
  ])
  const room = { width, left: leftEdge + margin, right: margin, size: typeSizeFor(width, height) }
  return footerOf(font, items, { ...room, keepFree: mark?.area.width ?? 0 })
}

/** The card as it is shown at one frame of the video, from 0. */
export const cardAt = (scene: Scene, at: number): Painting => {
  const frame = drawnFor(at, scene.framesPerSecond)
  const cells = [...scene.bySecond, ...scene.byDrawing].map((cell) => cellAt(cell, frame))
  const moving = streetAt(scene.street, frame) + cells.join('')
  return { ...scene, layers: [scene.still + moving, ...scene.pictures] }
}

/** The perforated edge of a film, along the left side of the card. */
const filmEdge = ({ width, height }: VideoSpec): { readonly width: number; readonly svg: string } => {
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
