import { type Painting, paintRaster } from '../scene/paint.js'
import { type Area, moved } from '../scene/svg.js'
import type { Band, Patch } from './moving.js'
import type { Plan } from './plan.js'
import { bandLength, bandSvg, type Scene } from './scene.js'
import type { Fade } from './second.js'

/** A file of bare pixels, and the filters that lay it on the picture below it. */
export interface Source {
  /** Pixels of one frame of the file, three bytes each. */
  readonly width: number
  readonly height: number
  pixels(): Promise<Buffer>
  /** What ffmpeg does to it before it is laid on. */
  readonly prepare: string
  /** The arguments of ffmpeg's `overlay`; empty for the ground. */
  readonly overlay: string
}

// The same matrix that the stream is labelled with; without it ffmpeg would take that of old television.
const TO_VIDEO = 'scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+accurate_rnd'

const repeat = (times: number, { framesPerSecond }: Plan): string =>
  `loop=loop=${times}:size=1,setpts=N/(${framesPerSecond}*TB)`

const size = ({ width, height }: { readonly width: number; readonly height: number }) => ({ width, height })

const pixelsOf = (painting: Painting) => async (): Promise<Buffer> => (await paintRaster(painting)).data

/** What stands still, for all frames. */
export const groundSource = ({ width, height, still, pictures }: Scene, plan: Plan): Source => ({
  ...{ width, height },
  pixels: pixelsOf({ width, height, layers: [still, ...pictures] }),
  prepare: `${TO_VIDEO},format=yuv420p,${repeat(-1, plan)}`,
  overlay: '',
})

/** A band is drawn once and moved by ffmpeg. */
export const bandSource = (band: Band, plan: Plan): Source => {
  const { area, runs, tileLength } = band
  const length = bandLength(band)
  const whole =
    runs === 'right' ? { width: length, height: area.height } : { width: area.width, height: length }
  const shift = shiftOf(band, plan)
  const place = runs === 'right' ? `x='${shift}-${tileLength}':y=${area.y}` : `x=${area.x}:y='-${shift}'`
  return {
    ...whole,
    pixels: pixelsOf({ ...whole, layers: [bandSvg(band)] }),
    prepare: `${TO_VIDEO},format=yuv420p,${repeat(-1, plan)}`,
    overlay: `${place}:eval=frame`,
  }
}

/** How far a band has run at each drawing, in pixels, as an expression: a search by halves, so that it is short to evaluate. */
const shiftOf = ({ pixelsPerFrame, tileLength }: Band, { framesPerSecond, drawings }: Plan): string => {
  // By time, since builds of ffmpeg do not agree whether the first drawing is number 0 or 1.
  const place = `round(t*${framesPerSecond})`
  const at = drawings.map(({ frame }) => ((frame % framesPerSecond) * pixelsPerFrame) % tileLength)
  const search = (from: number, to: number): string => {
    if (to - from === 1) return String(at[from])
    const middle = (from + to) >> 1
    return `if(lt(${place},${middle}),${search(from, middle)},${search(middle, to)})`
  }
  return search(0, drawings.length)
}

/** A patch is a small video of its own. */
export const patchSource = (patch: Patch, { drawings }: Plan): Source => ({
  ...size(patch.area),
  pixels: () =>
    patchPixels(
      patch,
      drawings.map(({ frame }) => frame),
    ),
  prepare: `${TO_VIDEO},format=yuv420p`,
  overlay: `x=${patch.area.x}:y=${patch.area.y}:eval=init`,
})

const patchPixels = async ({ area, ground, cells }: Patch, shownAt: readonly number[]): Promise<Buffer> => {
  const drawn = cells.map((cell) => ({ area: cell.area, drawings: shownAt.map(cell.draw) }))
  const [{ data }, pixels] = await Promise.all([
    paintRaster({ ...size(area), layers: [ground] }),
    pixelsOfDrawings(drawn),
  ])
  const frames = shownAt.map((_, place) => {
    const frame = Buffer.from(data)
    for (const cell of drawn) lay(pixels.get(cell.drawings[place] ?? ''), cell.area, frame, area.width)
    return frame
  })
  return Buffer.concat(frames)
}

interface DrawnCell {
  readonly area: Area
  readonly drawings: readonly string[]
}

/** The pixels of all drawings that differ. Those of one size are painted in one go, since each painting has its price. */
const pixelsOfDrawings = async (cells: readonly DrawnCell[]): Promise<Map<string, Buffer>> => {
  const sizeOf = ({ area }: DrawnCell) => `${area.width}x${area.height}`
  const painted = [...new Set(cells.map(sizeOf))].map((name) => {
    const alike = cells.filter((cell) => sizeOf(cell) === name)
    return paintColumn([...new Set(alike.flatMap(({ drawings }) => drawings))], alike[0]?.area)
  })
  return new Map((await Promise.all(painted)).flat())
}

/** Drawings of one size, painted one below the other and cut apart again. */
const paintColumn = async (drawings: readonly string[], area?: Area): Promise<[string, Buffer][]> => {
  const { width, height } = area ?? { width: 0, height: 0 }
  const column = drawings.map((drawing, index) => moved(0, index * height, drawing)).join('')
  const { data } = await paintRaster({ width, height: height * drawings.length, layers: [column] })
  const bytes = width * height * 3
  return drawings.map((drawing, index) => [drawing, data.subarray(index * bytes, (index + 1) * bytes)])
}

const lay = (pixels: Buffer | undefined, area: Area, onto: Buffer, ontoWidth: number): void => {
  const bytes = area.width * 3
  for (let y = 0; y < area.height; y++) {
    const target = ((area.y + y) * ontoWidth + area.x) * 3
    pixels?.copy(onto, target, y * bytes, (y + 1) * bytes)
  }
}

/** The user's first or last frame, which fades out of its second or in. */
export const userFrameSource = (
  direction: 'out' | 'in',
  video: { readonly width: number; readonly height: number },
  paint: () => Promise<Painting>,
  { place, drawings }: Fade,
  plan: Plan,
): Source => {
  const fade = `fade=t=${direction}:start_frame=0:nb_frames=${drawings - 1}:alpha=1`
  const start = `setpts=PTS+${place}/(${plan.framesPerSecond}*TB)`
  return {
    ...size(video),
    pixels: async () => pixelsOf(await paint())(),
    prepare: `${TO_VIDEO},format=yuva420p,${repeat(drawings - 1, plan)},${fade},${start}`,
    overlay: 'x=0:y=0:eval=init:eof_action=pass',
  }
}
