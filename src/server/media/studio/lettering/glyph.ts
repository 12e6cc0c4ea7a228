/** Outlines are measured in this many units per em, the y axis downwards, the baseline at 0. */
export const UNITS_PER_EM = 1000
/** How high a capital letter and a Chinese character stand above the baseline, in ems. */
export const CAPITAL_HEIGHT_EM = 0.733

export interface Glyph {
  /** Units to the next character. */
  readonly advance: number
  /** What an SVG path takes in its `d`; empty for a space. */
  readonly outline: string
}
