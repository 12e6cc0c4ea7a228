import { randomOf } from '../drawing.js'

/** The colours of one seed. */
export type Palette = ReturnType<typeof paletteOf>

type Evening = readonly [zenith: number, turn: number]

// Hue of the zenith in degrees, and how far the horizon is from it. A dark yellow is a brown: no zenith is from 40 to 130.
const EVENINGS: readonly [Evening, ...Evening[]] = [
  [265, 140],
  [285, 100],
  [300, 130],
  [205, -120],
  [240, -70],
  [330, 80],
  [350, 85],
  [185, -65],
  [222, 175],
  [155, -55],
]

/** Palette by seed: one of ten evenings, a little different for every seed. */
export const paletteOf = (seed: number) => {
  const random = randomOf(seed, 'palette')
  const [zenith, turnBy] = random.pick(EVENINGS)
  const hue = zenith + random.between(-12, 12)
  const turn = turnBy + random.between(-8, 8)
  const night = random.between(0.25, 0.33)
  const glow = hue + turn
  return {
    // From the top, where the text stands, down to the horizon.
    sky: [
      oklch(night, 0.11, hue),
      oklch(night + 0.17, 0.15, hue + turn * 0.35),
      oklch(0.76, 0.14, hue + turn * 0.85),
    ],
    sun: oklch(0.9, 0.11, glow),
    glow: oklch(0.84, 0.13, glow),
    hills: oklch(0.48, 0.11, hue + turn * 0.4),
    farFacades: oklch(0.36, 0.08, hue + turn * 0.2),
    facades: [
      oklch(0.3, 0.07, hue),
      oklch(0.47, 0.12, glow),
      oklch(0.4, 0.1, hue - turn * 0.4),
      oklch(0.58, 0.12, hue + turn * 0.6),
    ],
    trim: oklch(0.82, 0.06, glow),
    wood: oklch(0.6, 0.07, 65),
    litWindow: oklch(0.9, 0.12, 90),
    darkWindow: oklch(0.24, 0.05, hue),
    street: oklch(0.25, 0.03, hue),
    kerb: oklch(0.62, 0.03, hue),
    plate: oklch(0.17, 0.03, hue),
    text: '#ffffff',
    faintText: oklch(0.76, 0.03, hue),
    accent: oklch(0.84, 0.15, glow),
    vehicles: [oklch(0.72, 0.15, glow), oklch(0.82, 0.04, hue), oklch(0.6, 0.14, hue + 180)],
  } as const
}

/**
 * A colour of the OKLCH space as `#rrggbb`. Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. Two colours of one
 * lightness look equally light whatever their hue, so that white text can be read on every seed's sky.
 */
const oklch = (lightness: number, chroma: number, hue: number): string => {
  const rgb = linearRgb(lightness, chroma, hue)
  const isOutside = rgb.some((channel) => channel < -0.001 || channel > 1.001)
  return isOutside && chroma > 0.005 ? oklch(lightness, chroma - 0.005, hue) : `#${rgb.map(hexOf).join('')}`
}

const linearRgb = (lightness: number, chroma: number, hue: number): number[] => {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

const hexOf = (linear: number): string => {
  const bounded = Math.min(1, Math.max(0, linear))
  const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0')
}
