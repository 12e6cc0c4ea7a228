import { type Drawing, drawingsOf, type Fade, fadeOf, type Second } from './second.js'

/** Which pictures are encoded, and how the video is put together from them. Frames are numbered from 0 through the video. */
export interface Plan {
  readonly framesPerSecond: number
  /** In the order in which they are encoded: a place is a number in it. The whole seconds come first, and then singles. */
  readonly drawings: readonly Drawing[]
  /** For each frame of the video: the place of its drawing, and for how many frames that has been shown before it. */
  readonly order: readonly { readonly place: number; readonly shown: number }[]
  /** Where the user's first frame goes over into the card, and the card into the user's last frame. */
  readonly opening: Fade | undefined
  readonly ending: Fade | undefined
}

/**
 * Every second of the card moves alike, so only one is encoded. Of each other second only the first drawing is encoded,
 * a key picture with that second's time code; the drawings after it are those of the loop, which change nothing but what
 * moves. A second with a frame of the user's in it is encoded by itself.
 */
export const planOf = (
  seconds: number,
  framesPerSecond: number,
  has: { readonly opening: boolean; readonly ending: boolean },
): Plan => {
  const all = Array.from({ length: seconds }, (_, number): Second => {
    const isLast = number === seconds - 1
    const kind = has.opening && number === 0 ? 'opening' : has.ending && isLast ? 'ending' : 'loop'
    return { kind, number, framesPerSecond }
  })
  const loop = all.find(({ kind }) => kind === 'loop')
  const isWhole = (second: Second) => second.kind !== 'loop' || second === loop
  const singles = all.filter((second) => !isWhole(second)).flatMap((second) => drawingsOf(second).slice(0, 1))
  const drawings = [...all.filter(isWhole).flatMap(drawingsOf), ...singles]
  const places = new Map(drawings.map(({ frame }, place) => [frame, place]))
  const inLoop = (frame: number) => (loop?.number ?? 0) * framesPerSecond + (frame % framesPerSecond)
  const placeOf = (frame: number) => places.get(frame) ?? places.get(inLoop(frame)) ?? 0
  const fadeOfKind = (kind: Second['kind']) => {
    const second = all.find((each) => each.kind === kind)
    return second && fadeOf(second, placeOf(second.number * framesPerSecond))
  }
  return {
    ...{ framesPerSecond, drawings },
    order: all
      .flatMap(drawingsOf)
      .flatMap(({ frame, frames }) =>
        Array.from({ length: frames }, (_, shown) => ({ place: placeOf(frame), shown })),
      ),
    opening: fadeOfKind('opening'),
    ending: fadeOfKind('ending'),
  }
}
