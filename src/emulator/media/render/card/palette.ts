import { randomOf } from '../drawing.js'

/** The colours of one seed at the hour of one model. */
export type Palette = ReturnType<typeof paletteOf>

/**
 * Hour of a scene: ranges from which a seed draws hues in degrees, and the lightness of the sky from its top, where the white text
 * stands, down to the horizon. The upper sky is always dark enough for the text to be read.
 */
interface Hour {
  readonly night: readonly [min: number, max: number]
  readonly glow: readonly [min: number, max: number]
  readonly sky: readonly [top: number, middle: number, bottom: number]
  /** Saturation and lightness of the sun, or the moon. */
  readonly sun: readonly [saturation: number, lightness: number]
  /** What is added to the lightness of the houses. */
  readonly daylight: number
}

const EVENING: Hour = { night: [205, 325], glow: [350, 405], sky: [15, 33, 60], sun: [95, 82], daylight: 0 }

const HOURS: readonly [Hour, ...Hour[]] = [
  EVENING,
  { night: [250, 280], glow: [380, 395], sky: [24, 44, 80], sun: [100, 92], daylight: 8 },
  { night: [200, 216], glow: [188, 200], sky: [27, 38, 74], sun: [100, 95], daylight: 20 },
  { night: [222, 240], glow: [226, 244], sky: [6, 10, 20], sun: [25, 92], daylight: -8 },
  { night: [160, 178], glow: [150, 172], sky: [12, 24, 44], sun: [60, 88], daylight: -2 },
]

/** The hour of a model, so that the picture of a wrong one is seen from afar. Without a model it is evening. */
const hourOf = (model: string): Hour =>
  model === '' ? EVENING : randomOf(model, 'clock of the model').pick(HOURS)

/**
 * Palette by seed and model: the hour of the model, from the hue of the sky above to that of the glow on the horizon.
 * @param model its name in the request; empty: none
 */
export const paletteOf = (seed: number, model = '') => {
  const random = randomOf(seed, 'palette')
  const hour = hourOf(model)
  const night = random.between(...hour.night)
  const glow = random.between(...hour.glow)
  const between = (share: number) => night + (glow - night) * share
  const [top, middle, bottom] = hour.sky
  const lit = (lightness: number): number => Math.max(5, lightness + hour.daylight)
  return {
    // From the top, where the text stands, down to the horizon.
    sky: [hsl(night, 60, top), hsl(between(0.4), 50, middle), hsl(between(0.9), 70, bottom)],
    sun: hsl(glow, ...hour.sun),
    glow: hsl(glow, 90, 75),
    farFacades: hsl(between(0.4), 35, lit(25)),
    facades: [
      hsl(night, 35, lit(22)),
      hsl(between(0.9), 45, lit(40)),
      hsl(night - 30, 32, lit(33)),
      hsl(between(0.6), 38, lit(44)),
    ],
    litWindow: hsl(45, 95, 74),
    darkWindow: hsl(night, 40, 13),
    street: hsl(night, 15, 14),
    plate: hsl(night, 40, 7),
    text: '#ffffff',
    faintText: hsl(night, 15, 72),
    accent: hsl(glow, 95, 72),
    car: random.pick([hsl(glow, 85, 65), hsl(night, 25, 85), hsl(night - 60, 45, 55)]),
  } as const
}

const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${Math.round(hue % 360)},${saturation}%,${lightness}%)`
