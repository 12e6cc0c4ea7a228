/** A drawing is shown for two frames, as in a cartoon: half as much to draw and to encode, and it still looks alive. */
export const FRAMES_PER_DRAWING = 2

/** How many drawings a second of the card has. */
export const drawingsPerSecond = (framesPerSecond: number): number =>
  Math.ceil(framesPerSecond / FRAMES_PER_DRAWING)

/** The frames of a second for which there is a drawing, from 0. */
export const drawnFrames = (framesPerSecond: number): number[] =>
  Array.from({ length: drawingsPerSecond(framesPerSecond) }, (_, drawing) => drawing * FRAMES_PER_DRAWING)

/** The drawing that a frame of a second shows, both from 0. */
export const drawingAt = (frame: number): number => Math.floor(frame / FRAMES_PER_DRAWING)

/** The frame whose drawing is shown at a frame of the card, both from 0 through the video. */
export const drawnFor = (frame: number, framesPerSecond: number): number =>
  frame - ((frame % framesPerSecond) % FRAMES_PER_DRAWING)

/** When one picture is drawn over another, in frames of its second. */
export interface Wipe {
  readonly from: number
  /** Drawings that show some of both. */
  readonly steps: number
}

const wholeDrawings = (frames: number): number => FRAMES_PER_DRAWING * Math.round(frames / FRAMES_PER_DRAWING)

const stepsOf = (framesPerSecond: number): number => Math.round(framesPerSecond / 3 / FRAMES_PER_DRAWING)

/** The user's first frame stands still for half a second, and then the card comes over it. */
export const openingWipe = (framesPerSecond: number): Wipe => ({
  from: wholeDrawings(framesPerSecond / 2),
  steps: stepsOf(framesPerSecond),
})

/** The user's last frame comes over the card, and then stands still until the end. */
export const endingWipe = (framesPerSecond: number): Wipe => ({
  from: wholeDrawings(framesPerSecond / 4),
  steps: stepsOf(framesPerSecond),
})

/** How much of the new picture is seen at a frame of the second, from 0 to 1. */
export const shareAt = ({ from, steps }: Wipe, frame: number): number =>
  frame < from ? 0 : Math.min(1, (drawingAt(frame - from) + 1) / (steps + 1))
