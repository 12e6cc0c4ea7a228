/**
 * A colour of the OKLCH space as `#rrggbb`. Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees. Two colours of one
 * lightness look equally light whatever their hue, so that white letters can be read on every seed's sky.
 */
export const oklch = (lightness: number, chroma: number, hue: number): string => {
  let fitting = chroma
  let rgb = linearRgb(lightness, fitting, hue)
  while (fitting > 0.005 && rgb.some((channel) => channel < -0.001 || channel > 1.001)) {
    fitting -= 0.005
    rgb = linearRgb(lightness, fitting, hue)
  }
  return `#${rgb.map(hexOf).join('')}`
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
