import { type Painting, paintRaster } from '../scene/paint.js'
import { moved } from '../scene/svg.js'
import type { Band, Patch } from './moving.js'
import type { FullSecond, Plan } from './plan.js'
import { bandLength, bandSvg, type Scene } from './scene.js'

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
  const { area, runs, pixelsPerFrame, tileLength } = band
  const length = bandLength(band)
  const size =
    runs === 'right' ? { width: length, height: area.height } : { width: area.width, height: length }
  // By time, since builds of ffmpeg do not agree whether the first frame is number 0 or 1. What comes behind the full
  // seconds are first pictures of a second.
  const frame = `round(t*${plan.framesPerSecond})`
  const shift = `if(lt(t,${plan.full.length}-0.01),mod(${frame}*${pixelsPerFrame},${tileLength}),0)`
  const place = runs === 'right' ? `x='${shift}-${tileLength}':y=${area.y}` : `x=${area.x}:y='-${shift}'`
  return {
    ...size,
    pixels: pixelsOf({ ...size, layers: [bandSvg(band)] }),
    prepare: `${TO_VIDEO},format=yuv420p,${repeat(-1, plan)}`,
    overlay: `${place}:eval=frame`,
  }
}

/** A patch is a small video of its own. */
export const patchSource = ({ area, columns }: Patch, { encoded }: Plan): Source => ({
  ...{ width: area.width, height: area.height },
  pixels: async () => {
    const drawn = await Promise.all(
      columns.map(async ({ width, draw }) => {
        const drawings = encoded.map(draw)
        return { width, frames: await framesOf(drawings, width, area.height) }
      }),
    )
    return besideEachOther(drawn, area.height)
  },
  prepare: `${TO_VIDEO},format=yuv420p`,
  overlay: `x=${area.x}:y=${area.y}:eval=init`,
})

/** The pixels of each drawing. Those that differ are painted in one go, one below the other. */
const framesOf = async (drawings: readonly string[], width: number, height: number): Promise<Buffer[]> => {
  const different = [...new Set(drawings)]
  const column = different.map((drawing, index) => moved(0, index * height, drawing)).join('')
  const { data } = await paintRaster({ width, height: height * different.length, layers: [column] })
  const bytes = width * height * 3
  return drawings.map((drawing) => {
    const index = different.indexOf(drawing)
    return data.subarray(index * bytes, (index + 1) * bytes)
  })
}

const besideEachOther = (
  columns: readonly { readonly width: number; readonly frames: readonly Buffer[] }[],
  height: number,
): Buffer => {
  const rows: Buffer[] = []
  columns[0]?.frames.forEach((_, frame) => {
    for (let y = 0; y < height; y++) {
      for (const { width, frames } of columns) {
        const row = frames[frame]?.subarray(y * width * 3, (y + 1) * width * 3)
        if (row) rows.push(row)
      }
    }
  })
  return Buffer.concat(rows)
}

/** How the user's frame goes over into the card and back, in shares of its second. */
const OPENING_SHOWN = 1 / 2
const ENDING_HIDDEN = 1 / 4
const FADE = 1 / 3

/** The user's first or last frame: shown plainly for half of its second, and faded from or into the card. */
export const userFrameSource = (kind: FullSecond['kind'], painting: Painting, plan: Plan): Source => {
  const { framesPerSecond, full } = plan
  const place = full.findIndex((second) => second.kind === kind)
  const direction = kind === 'opening' ? 'out' : 'in'
  const from = Math.round(framesPerSecond * (kind === 'opening' ? OPENING_SHOWN : ENDING_HIDDEN))
  const fade = `fade=t=${direction}:start_frame=${from}:nb_frames=${Math.round(framesPerSecond * FADE)}:alpha=1`
  return {
    ...{ width: painting.width, height: painting.height },
    pixels: pixelsOf(painting),
    prepare: `${TO_VIDEO},format=yuva420p,${repeat(framesPerSecond - 1, plan)},${fade},setpts=PTS+${place}/TB`,
    overlay: 'x=0:y=0:eval=init:eof_action=pass',
  }
}
