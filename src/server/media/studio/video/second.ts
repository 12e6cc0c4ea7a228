import { even } from './moving.js'

/** A drawing is shown for two frames, as in a cartoon: half as much to draw and to encode, and it still looks alive. */
const FRAMES_PER_DRAWING = 2

/** One second of the video. */
export interface Second {
  readonly kind: 'opening' | 'loop' | 'ending'
  /** From 0. */
  readonly number: number
  readonly framesPerSecond: number
}

/** One picture that goes through the encoder. */
export interface Drawing {
  /** The first frame of the video that shows it, from 0. */
  readonly frame: number
  /** Its number among those that are decoded one after the other, from 0, which is a key picture. */
  readonly number: number
  /** For how many frames it is shown. */
  readonly frames: number
  /** Whether it is the last of them. */
  readonly isLast: boolean
}

/** Drawings that a frame of the user's is laid over: at one end it covers them, at the other it is not seen. */
export interface Fade {
  /** The place of the first of them among all that are encoded. */
  readonly place: number
  readonly drawings: number
}

/** What is drawn for a second that is encoded by itself, in its order. */
export const drawingsOf = (second: Second): Drawing[] => {
  const first = second.number * second.framesPerSecond
  return groupsOf(second).flatMap((group) =>
    group.map(({ from, frames }, number) => {
      const isLast = number === group.length - 1
      return { frame: first + from, number, frames, isLast }
    }),
  )
}

/** Where the user's frame fades in the second whose first drawing has that place. */
export const fadeOf = ({ kind, framesPerSecond }: Second, place: number): Fade => {
  const { hidden, steps } = partsOf(framesPerSecond)
  const seen = { place, drawings: steps + 2 }
  return kind === 'opening' ? seen : { ...seen, place: place + hidden / FRAMES_PER_DRAWING - 1 }
}

/** The parts of a second with a frame of the user's in it, in frames, and the drawings between it and the card. */
const partsOf = (framesPerSecond: number) => ({
  /** The first frame stands still, and then goes over into the card. */
  still: even(framesPerSecond / 2),
  /** The last frame is not seen yet, and then comes through the card. */
  hidden: even(framesPerSecond / 4),
  steps: Math.round(framesPerSecond / 3 / FRAMES_PER_DRAWING),
})

interface Shown {
  readonly from: number
  readonly frames: number
}

// Each of a group is decoded after the one before it; the first by itself. What stands still comes last in its group.
const groupsOf = ({ kind, framesPerSecond }: Second): Shown[][] => {
  const { still, hidden, steps } = partsOf(framesPerSecond)
  if (kind === 'opening') return [[{ from: 0, frames: still }], onTwos(still, framesPerSecond)]
  if (kind === 'loop') return [onTwos(0, framesPerSecond)]
  const last = hidden + steps * FRAMES_PER_DRAWING
  return [[...onTwos(0, last), { from: last, frames: framesPerSecond - last }]]
}

const onTwos = (start: number, end: number): Shown[] =>
  Array.from({ length: Math.ceil((end - start) / FRAMES_PER_DRAWING) }, (_, index) => {
    const from = start + index * FRAMES_PER_DRAWING
    return { from, frames: Math.min(FRAMES_PER_DRAWING, end - from) }
  })

/** The frame whose drawing is shown at a frame of the card, both from 0 through the video. */
export const drawnFor = (frame: number, framesPerSecond: number): number =>
  frame - ((frame % framesPerSecond) % FRAMES_PER_DRAWING)
