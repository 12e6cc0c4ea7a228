/** Levels of H.264 (ITU-T H.264, table A-1) by ten: what a decoder has to be able to do, in blocks a picture and a second. */
const LEVELS = [
  { level: 30, blocks: 1_620, perSecond: 40_500 },
  { level: 31, blocks: 3_600, perSecond: 108_000 },
  { level: 32, blocks: 5_120, perSecond: 216_000 },
  { level: 40, blocks: 8_192, perSecond: 245_760 },
  { level: 42, blocks: 8_704, perSecond: 522_240 },
  { level: 50, blocks: 22_080, perSecond: 589_824 },
  { level: 51, blocks: 36_864, perSecond: 983_040 },
  { level: 52, blocks: 36_864, perSecond: 2_073_600 },
] as const

/** The lowest level that pictures of so many blocks need; the highest where none is enough. */
export const levelFor = (blocks: number, framesPerSecond: number): number =>
  LEVELS.find((each) => blocks <= each.blocks && blocks * framesPerSecond <= each.perSecond)?.level ?? 52
