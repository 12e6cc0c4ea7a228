declare module 'subset-font' {
  interface SubsetOptions {
    readonly targetFormat: 'sfnt'
    readonly keepFeatures: readonly string[]
    readonly noLayoutClosure: boolean
    readonly noHinting: boolean
    readonly dropTables: readonly string[]
  }
  const subsetFont: (font: Buffer, characters: string, options: SubsetOptions) => Promise<Buffer>
  export default subsetFont
}
