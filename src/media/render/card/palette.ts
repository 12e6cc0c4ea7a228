import { randomOf } from '../drawing.js'

/** The colours of one seed. */
export type Palette = ReturnType<typeof paletteOf>

/**
 * Palette by seed: an evening, from the hue of the night above to that of the glow on the horizon. The night is between blue and
 * pink, hues that are dark at a low lightness: white text can be read on it. Hues are in degrees.
 */
export const paletteOf = (seed: number) => {
  const random = randomOf(seed, 'palette')
  const night = random.between(205, 325)
  const glow = random.between(350, 405)
  const between = (share: number) => night + (glow - night) * share
  return {
    // From the top, where the text stands, down to the horizon.
    sky: [hsl(night, 60, 15), hsl(between(0.4), 50, 33), hsl(between(0.9), 70, 60)],
    sun: hsl(glow, 95, 82),
    glow: hsl(glow, 90, 75),
    farFacades: hsl(between(0.4), 35, 25),
    facades: [
      hsl(night, 35, 22),
      hsl(between(0.9), 45, 40),
      hsl(night - 30, 32, 33),
      hsl(between(0.6), 38, 44),
    ],
    litWindow: hsl(45, 95, 74),
    darkWindow: hsl(night, 40, 13),
    street: hsl(night, 15, 14),
    plate: hsl(night, 40, 7),
    text: '#ffffff',
    faintText: hsl(night, 15, 72),
    accent: hsl(glow, 95, 72),
    cars: [hsl(glow, 85, 65), hsl(night, 25, 85), hsl(night - 60, 45, 55)],
  } as const
}

const hsl = (hue: number, saturation: number, lightness: number): string =>
  `hsl(${Math.round(hue % 360)},${saturation}%,${lightness}%)`
