/** The part of opentype.js 2 that making the letters takes; the package brings no types. */
declare module 'opentype.js' {
  /** TrueType knows straight lines and curves with one control point. */
  export type Command =
    | { readonly type: 'M' | 'L'; readonly x: number; readonly y: number }
    | { readonly type: 'Q'; readonly x1: number; readonly y1: number; readonly x: number; readonly y: number }
    | { readonly type: 'Z' }
  interface Outline {
    readonly commands: readonly Command[]
  }
  interface Glyph {
    readonly advanceWidth: number
    getPath(x: number, y: number, fontSize: number): Outline
  }
  export interface Font {
    readonly unitsPerEm: number
    /** 0 is the glyph for characters that the font does not have. */
    charToGlyphIndex(character: string): number
    charToGlyph(character: string): Glyph
  }
  interface Opentype {
    /** With `lowMemory` glyphs are read one by one, when they are asked for. */
    parse(font: ArrayBuffer, options: { readonly lowMemory: boolean }): Font
  }
  const opentype: Opentype
  export default opentype
}
