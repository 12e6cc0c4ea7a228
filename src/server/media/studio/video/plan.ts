/** One second of the video that is encoded picture by picture. */
export interface FullSecond {
  readonly kind: 'opening' | 'loop' | 'ending'
  /** From 0. */
  readonly second: number
}

/** Which frames are encoded, and how the video is put together from them. Frames are numbered from 0 through the video. */
export interface Plan {
  readonly framesPerSecond: number
  readonly full: readonly FullSecond[]
  /** Frame numbers in the order in which they are encoded: the full seconds, then the first pictures of the others. */
  readonly encoded: readonly number[]
  /** For each frame of the video, its place in `encoded`. */
  readonly order: readonly number[]
}

/**
 * Every second of the card moves alike, so only one is encoded. Of each other second only the first picture is encoded,
 * a key frame with that second's time code; the pictures after it are those of the loop, which change nothing but what
 * moves. A second with a frame of the user's in it is encoded whole.
 */
export const planOf = (
  seconds: number,
  framesPerSecond: number,
  has: { readonly opening: boolean; readonly ending: boolean },
): Plan => {
  const kindOf = (second: number): FullSecond['kind'] =>
    has.opening && second === 0 ? 'opening' : has.ending && second === seconds - 1 ? 'ending' : 'loop'
  const all = Array.from({ length: seconds }, (_, second) => ({ kind: kindOf(second), second }))
  const loop = all.find(({ kind }) => kind === 'loop')
  const full = all.filter((each) => each.kind !== 'loop' || each === loop)
  const singles = all.filter((each) => !full.includes(each))
  const frame = (second: number, index: number) => second * framesPerSecond + index
  const wholeSecond = ({ second }: FullSecond) =>
    Array.from({ length: framesPerSecond }, (_, index) => frame(second, index))
  const encoded = [...full.flatMap(wholeSecond), ...singles.map(({ second }) => frame(second, 0))]
  const placeOf = new Map(encoded.map((number, place) => [number, place]))
  const loopPlace = (index: number) => placeOf.get(frame(loop?.second ?? 0, index)) ?? 0
  const order = all.flatMap((each) =>
    wholeSecond(each).map((number, index) => placeOf.get(number) ?? loopPlace(index)),
  )
  return { framesPerSecond, full, encoded, order }
}
